import { isObject, type Json } from './read-span.js';
import { longestApplication, type SpanBlock } from './span-block.js';

/**
 * Checks a block that an agent has sent. Our agent sends only valid blocks; this keeps other programs'
 * blocks, sent with an agent's key, from the topic's readers. Reasons name fields, but quote nothing from the
 * block. ADR 21 says why the OTLP reader can't do this.
 */
export function checkBlock(item: unknown): { readonly item: SpanBlock } | { readonly reason: string } {
  const reason = wrongInBlock(item);
  return reason === undefined ? { item: item as SpanBlock } : { reason };
}

type Wrong = string | undefined;

const traceForm = /^(?!0{32})[0-9a-f]{32}$/;
const spanForm = /^(?!0{16})[0-9a-f]{16}$/;
const timeForm = /^(?:0|[1-9]\d{0,18})$/;
const latest = '9223372036854775807';
const maxUint32 = 0xffff_ffff;
const maxEnum = 0x7fff_ffff;

function wrongInBlock(item: unknown): Wrong {
  if (!isObject(item)) return 'A block of spans must be a JSON object.';
  const { application, resource, scope, spans } = item;
  if (!isText(application) || application === '' || application.length > longestApplication * 2)
    return `application must be a text of 1 to ${longestApplication} characters.`;
  if (!Array.isArray(spans) || spans.length === 0) return 'spans must be an array with at least one span.';
  const wrong = wrongInResource(resource) ?? wrongInScope(scope);
  if (wrong !== undefined) return wrong;
  for (let index = 0; index < spans.length; index++) {
    const inSpan = wrongInSpan(spans[index]);
    if (inSpan !== undefined) return `spans[${index}].${inSpan}`;
  }
  return undefined;
}

function wrongInResource(resource: unknown): Wrong {
  if (resource === undefined) return undefined;
  if (!isObject(resource)) return 'resource must be an object.';
  return wrongInAttributes(resource, 'resource.') ?? wrongInTexts(resource, ['schema_url'], 'resource.');
}

function wrongInScope(scope: unknown): Wrong {
  if (scope === undefined) return undefined;
  if (!isObject(scope)) return 'scope must be an object.';
  return (
    wrongInAttributes(scope, 'scope.') ?? wrongInTexts(scope, ['name', 'version', 'schema_url'], 'scope.')
  );
}

function wrongInSpan(span: unknown): Wrong {
  if (!isObject(span)) return 'must be an object.';
  const { trace_id, span_id, parent_span_id, start, end, kind, status_code, events, links } = span;
  if (typeof trace_id !== 'string' || !traceForm.test(trace_id)) return 'trace_id must be 32 hex digits.';
  if (typeof span_id !== 'string' || !spanForm.test(span_id)) return 'span_id must be 16 hex digits.';
  if (parent_span_id !== undefined && (typeof parent_span_id !== 'string' || !spanForm.test(parent_span_id)))
    return 'parent_span_id must be 16 hex digits, or absent.';
  if (!isTime(start)) return 'start must be nanoseconds since 1970 as text.';
  if (!isTime(end)) return 'end must be nanoseconds since 1970 as text.';
  if (!isCount(kind, maxEnum)) return 'kind must be a number.';
  if (!isCount(status_code, maxEnum)) return 'status_code must be a number.';
  return (
    wrongInTexts(span, ['name', 'trace_state', 'status_message'], '') ??
    wrongInCounts(span, ['flags', 'dropped_events_count', 'dropped_links_count'], '') ??
    wrongInAttributes(span, '') ??
    wrongInList(events, 'events', wrongInEvent) ??
    wrongInList(links, 'links', wrongInLink)
  );
}

function wrongInEvent(event: Json): Wrong {
  if (!isTime(event['time'])) return 'events.time must be nanoseconds since 1970 as text.';
  return wrongInTexts(event, ['name'], 'events.') ?? wrongInAttributes(event, 'events.');
}

function wrongInLink(link: Json): Wrong {
  const { trace_id, span_id } = link;
  if (typeof trace_id !== 'string' || !(trace_id === '' || traceForm.test(trace_id)))
    return 'links.trace_id must be 32 hex digits, or empty.';
  if (typeof span_id !== 'string' || !(span_id === '' || spanForm.test(span_id)))
    return 'links.span_id must be 16 hex digits, or empty.';
  return (
    wrongInTexts(link, ['trace_state'], 'links.') ??
    wrongInCounts(link, ['flags'], 'links.') ??
    wrongInAttributes(link, 'links.')
  );
}

function wrongInList(list: unknown, what: string, wrong: (element: Json) => Wrong): Wrong {
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return `${what} must be an array.`;
  for (const element of list) {
    const found = isObject(element) ? wrong(element) : `${what} must hold objects.`;
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrongInAttributes(of: Json, path: string): Wrong {
  const { attributes, dropped_attributes_count } = of;
  if (!isCount(dropped_attributes_count, maxUint32))
    return `${path}dropped_attributes_count must be a number.`;
  if (attributes === undefined) return undefined;
  if (!isObject(attributes)) return `${path}attributes must be an object.`;
  const { types, keys, values } = attributes;
  if (!areTexts(keys) || !areTexts(values) || keys.length !== values.length)
    return `${path}attributes must have as many keys as values, all texts.`;
  if (typeof types !== 'string' || countOf(types) !== keys.length)
    return `${path}attributes.types must have one letter per value.`;
  return undefined;
}

/** The number of values that the letters describe; -1 if they are malformed. */
function countOf(types: string): number {
  let count = 0;
  let depth = 0;
  for (let index = 0; index < types.length; index++) {
    const letter = types[index] ?? '';
    if (letter === ')') {
      depth -= 1;
      if (depth < 0) return -1;
      continue;
    }
    if (depth === 0) count += 1;
    if (letter === 'a' || letter === 'k') {
      index += 1;
      if (types[index] !== '(') return -1;
      depth += 1;
    } else if (!plainLetters.has(letter)) return -1;
  }
  return depth === 0 ? count : -1;
}

const plainLetters: ReadonlySet<string> = new Set(['s', 'b', 'i', 'd', 'y', 'n']);

function wrongInTexts(of: Json, names: readonly string[], path: string): Wrong {
  const name = names.find((each) => of[each] !== undefined && !isText(of[each]));
  return name === undefined ? undefined : `${path}${name} must be a text.`;
}

function wrongInCounts(of: Json, names: readonly string[], path: string): Wrong {
  const name = names.find((each) => !isCount(of[each], maxUint32));
  return name === undefined ? undefined : `${path}${name} must be an unsigned 32-bit number.`;
}

function areTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every(isText);
}

/** Half of a surrogate pair can't be encoded in UTF-8. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' && timeForm.test(value) && (value.length < latest.length || value <= latest)
  );
}

function isCount(value: unknown, most: number): boolean {
  return (
    value === undefined ||
    (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most)
  );
}
