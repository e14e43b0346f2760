import { readTypedJson, type AnyValue } from './typed-json.js';
import type { Attributes, Resource, Scope, Span, SpanBlock, SpanEvent, SpanLink } from './span-block.js';

type Json = Record<string, unknown>;

/** Blocks as an OTLP/JSON request, as a conforming sender would write it, without empty or zero values. */
export function writeTraces(blocks: readonly SpanBlock[]): { readonly resourceSpans: readonly object[] } {
  return {
    resourceSpans: blocks.map(({ resource = {}, scope = {}, spans }) => ({
      resource: resourceJson(resource),
      ...given('schemaUrl', resource.schema_url),
      scopeSpans: [
        { scope: scopeJson(scope), ...given('schemaUrl', scope.schema_url), spans: spans.map(spanJson) },
      ],
    })),
  };
}

function resourceJson(resource: Resource): Json {
  return attributesJson(resource);
}

function scopeJson(scope: Scope): Json {
  return { ...given('name', scope.name), ...given('version', scope.version), ...attributesJson(scope) };
}

function spanJson(span: Span): Json {
  const status = { ...given('message', span.status_message), ...given('code', span.status_code) };
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    ...given('traceState', span.trace_state),
    ...given('parentSpanId', span.parent_span_id),
    ...given('flags', span.flags),
    ...given('name', span.name),
    ...given('kind', span.kind),
    startTimeUnixNano: span.start,
    endTimeUnixNano: span.end,
    ...attributesJson(span),
    ...given('events', span.events?.map(eventJson)),
    ...given('droppedEventsCount', span.dropped_events_count),
    ...given('links', span.links?.map(linkJson)),
    ...given('droppedLinksCount', span.dropped_links_count),
    ...(Object.keys(status).length === 0 ? {} : { status }),
  };
}

function eventJson(event: SpanEvent): Json {
  return { timeUnixNano: event.time, ...given('name', event.name), ...attributesJson(event) };
}

function linkJson(link: SpanLink): Json {
  return {
    ...given('traceId', link.trace_id),
    ...given('spanId', link.span_id),
    ...given('traceState', link.trace_state),
    ...attributesJson(link),
    ...given('flags', link.flags),
  };
}

interface WithAttributes {
  readonly attributes?: Attributes;
  readonly dropped_attributes_count?: number;
}

function attributesJson({ attributes, dropped_attributes_count }: WithAttributes): Json {
  return {
    ...(attributes === undefined ? {} : { attributes: entriesOf(attributes) }),
    ...given('droppedAttributesCount', dropped_attributes_count),
  };
}

function entriesOf({ types, keys, values }: Attributes): readonly object[] {
  let at = 0;
  return keys.map((key, index) => {
    const type = typeAt(types, at);
    at += type.length;
    return { key, value: valueOf(type, values[index] ?? '') };
  });
}

/** The letter of one value, with its parentheses and their content. */
function typeAt(types: string, from: number): string {
  let depth = 0;
  let end = from;
  do {
    end += 1;
    const next = types[end];
    if (next === '(') depth += 1;
    else if (next === ')') depth -= 1;
  } while (depth > 0);
  return types.slice(from, types[end] === ')' ? end + 1 : end);
}

function valueOf(type: string, text: string): AnyValue {
  switch (type[0]) {
    case 's':
      return { stringValue: text };
    case 'b':
      return { boolValue: text === 'true' };
    case 'i':
      return { intValue: text };
    case 'd':
      return { doubleValue: Number.isFinite(Number(text)) ? Number(text) : text };
    case 'y':
      return { bytesValue: text };
    case 'n':
      return {};
    default:
      return readTypedJson(type, text);
  }
}

/** A field, unless it has protobuf's default value. */
function given(name: string, value: unknown): Json {
  const isDefault = value === undefined || value === '' || value === 0;
  return isDefault ? {} : { [name]: value };
}
