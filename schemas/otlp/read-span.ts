import { rounded } from './exact-number.js';
import { quoted, type Findings } from './findings.js';
import { optionalSpanId, optionalTraceId, spanId, traceId } from './ids.js';
import { nanoseconds, uint32 } from './numbers.js';
import { readAttributes, text } from './read-attributes.js';
import {
  spanKinds,
  statusCodes,
  type Attributes,
  type Resource,
  type Scope,
  type Span,
  type SpanEvent,
  type SpanLink,
} from './span-block.js';

export type Json = Readonly<Record<string, unknown>>;

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field by its OTLP/JSON name, or by its protobuf name, which some clients send. */
export function field(of: Json, camelCase: string, snakeCase: string): unknown {
  const value = of[camelCase];
  return value === undefined ? of[snakeCase] : value;
}

/** Reads a span. Faults are added to `findings`; if there are any, the result must not be used. */
export function readSpan(given: unknown, findings: Findings): Span {
  const from: Json = isObject(given) ? given : {};
  if (from !== given) findings.note(`it is not an object: ${quoted(given)}`);
  const span: Writable<Span> = {
    trace_id: traceId(field(from, 'traceId', 'trace_id'), 'traceId', findings),
    span_id: spanId(field(from, 'spanId', 'span_id'), 'spanId', findings),
    start: nanoseconds(
      field(from, 'startTimeUnixNano', 'start_time_unix_nano'),
      'startTimeUnixNano',
      findings,
    ),
    end: nanoseconds(field(from, 'endTimeUnixNano', 'end_time_unix_nano'), 'endTimeUnixNano', findings),
  };
  const parent = optionalSpanId(field(from, 'parentSpanId', 'parent_span_id'), 'parentSpanId', findings);
  if (parent !== '') span.parent_span_id = parent;
  const name = text(from['name'], 'name', 'span', findings);
  if (name !== '') span.name = name;
  const kind = enumNumber(from['kind'], 'kind', kindNumbers, findings);
  if (kind !== 0) span.kind = kind;
  const state = text(field(from, 'traceState', 'trace_state'), 'traceState', 'span', findings);
  if (state !== '') span.trace_state = state;
  const flags = uint32(from['flags'], 'flags', findings);
  if (flags !== 0) span.flags = flags;
  addAttributes(span, from, 'attributes', findings);
  const events = list(from['events'], 'events', findings, readEvent);
  if (events.length > 0) span.events = events;
  const droppedEvents = uint32(
    field(from, 'droppedEventsCount', 'dropped_events_count'),
    'droppedEventsCount',
    findings,
  );
  if (droppedEvents !== 0) span.dropped_events_count = droppedEvents;
  const links = list(from['links'], 'links', findings, readLink);
  if (links.length > 0) span.links = links;
  const droppedLinks = uint32(
    field(from, 'droppedLinksCount', 'dropped_links_count'),
    'droppedLinksCount',
    findings,
  );
  if (droppedLinks !== 0) span.dropped_links_count = droppedLinks;
  addStatus(span, from['status'], findings);
  findings.characters += spanOverhead + name.length + state.length;
  return span;
}

/** The approximate characters of a span's ids, times and punctuation. */
const spanOverhead = 160;

export function readResource(given: unknown, schemaUrl: unknown, findings: Findings): Resource {
  const from: Json = isObject(given) ? given : {};
  if (from !== given && given !== undefined && given !== null) findings.note('resource is not an object');
  const resource: Writable<Resource> = {};
  addAttributes(resource, from, 'resource.attributes', findings);
  const url = text(schemaUrl, 'schemaUrl', 'resourceSpans', findings);
  if (url !== '') resource.schema_url = url;
  findings.characters += url.length;
  return resource;
}

export function readScope(given: unknown, schemaUrl: unknown, findings: Findings): Scope {
  const from: Json = isObject(given) ? given : {};
  if (from !== given && given !== undefined && given !== null) findings.note('scope is not an object');
  const scope: Writable<Scope> = {};
  const name = text(from['name'], 'name', 'scope', findings);
  if (name !== '') scope.name = name;
  const version = text(from['version'], 'version', 'scope', findings);
  if (version !== '') scope.version = version;
  addAttributes(scope, from, 'scope.attributes', findings);
  const url = text(schemaUrl, 'schemaUrl', 'scopeSpans', findings);
  if (url !== '') scope.schema_url = url;
  findings.characters += name.length + version.length + url.length;
  return scope;
}

interface WithAttributes {
  attributes?: Attributes;
  dropped_attributes_count?: number;
}

function addAttributes(to: WithAttributes, from: Json, what: string, findings: Findings): void {
  const attributes = readAttributes(from['attributes'], what, findings);
  if (attributes !== undefined) to.attributes = attributes;
  const dropped = uint32(
    field(from, 'droppedAttributesCount', 'dropped_attributes_count'),
    'droppedAttributesCount',
    findings,
  );
  if (dropped !== 0) to.dropped_attributes_count = dropped;
}

function readEvent(from: Json, findings: Findings): SpanEvent {
  const time = nanoseconds(field(from, 'timeUnixNano', 'time_unix_nano'), 'events.timeUnixNano', findings);
  const event: Writable<SpanEvent> = { time };
  const name = text(from['name'], 'name', 'events', findings);
  if (name !== '') event.name = name;
  addAttributes(event, from, 'events.attributes', findings);
  findings.characters += 40 + name.length;
  return event;
}

function readLink(from: Json, findings: Findings): SpanLink {
  const link: Writable<SpanLink> = {
    trace_id: optionalTraceId(field(from, 'traceId', 'trace_id'), 'links.traceId', findings),
    span_id: optionalSpanId(field(from, 'spanId', 'span_id'), 'links.spanId', findings),
  };
  const state = text(field(from, 'traceState', 'trace_state'), 'traceState', 'links', findings);
  if (state !== '') link.trace_state = state;
  addAttributes(link, from, 'links.attributes', findings);
  const flags = uint32(from['flags'], 'links.flags', findings);
  if (flags !== 0) link.flags = flags;
  findings.characters += 80 + state.length;
  return link;
}

function list<Element>(
  given: unknown,
  what: string,
  findings: Findings,
  read: (from: Json, findings: Findings) => Element,
): readonly Element[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    findings.note(`${what} is not an array: ${quoted(given)}`);
    return [];
  }
  return given.map((element: unknown) => {
    if (!isObject(element)) findings.note(`${what} has an element that is not an object: ${quoted(element)}`);
    return read(isObject(element) ? element : {}, findings);
  });
}

function addStatus(span: Writable<Span>, given: unknown, findings: Findings): void {
  if (given === undefined || given === null) return;
  if (!isObject(given)) {
    findings.note(`status is not an object: ${quoted(given)}`);
    return;
  }
  const code = enumNumber(given['code'], 'status.code', codeNumbers, findings);
  if (code !== 0) span.status_code = code;
  const message = text(given['message'], 'message', 'status', findings);
  if (message !== '') span.status_message = message;
  findings.characters += message.length;
}

const numbersOf = (prefix: string, names: readonly string[]): ReadonlyMap<unknown, number> =>
  new Map(names.map((name, number) => [prefix + name, number]));
const kindNumbers = numbersOf('SPAN_KIND_', spanKinds);
const codeNumbers = numbersOf('STATUS_CODE_', statusCodes);
const largestEnum = 0x7fff_ffff;

/** Accepts numbers without a name in this version: protobuf's enums are open. Refuses unknown names. */
function enumNumber(
  given: unknown,
  what: string,
  names: ReadonlyMap<unknown, number>,
  findings: Findings,
): number {
  if (given === undefined || given === null) return 0;
  const value = rounded(given);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestEnum)
    return value === 0 ? 0 : value;
  const number = names.get(value);
  if (number === undefined) findings.note(`${what} is unknown: ${quoted(given)}`);
  return number ?? 0;
}
