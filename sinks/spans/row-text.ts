import { quoted } from '../../runtime/clickhouse/json-text.js';
import type { Attributes, TraceSpans } from '../../schemas/generated/trace-spans.js';

type Span = TraceSpans['spans'][number];

/**
 * The columns that all spans of a record have in common, as the beginning of a JSON object. Texts, and no objects: only
 * these can have a key twice and keys in the order in which they were sent, and they cost half as much.
 */
export function sharedColumns(
  { workspace, application, key_id, resource, scope, trace_id }: TraceSpans,
  receivedAt: string,
  appendedAt: string,
): string {
  return (
    `{"TraceId":"${trace_id}"` +
    `,"ServiceName":${quoted(serviceName(resource.attributes))}` +
    `,"ResourceAttributes":${attributesText(resource.attributes)}` +
    `,"ScopeName":${quoted(scope.name)}` +
    `,"ScopeVersion":${quoted(scope.version)}` +
    `,"workspace":${quoted(workspace)}` +
    `,"application":${quoted(application)}` +
    `,"key_id":${quoted(key_id)}` +
    `,"received_at":"${receivedAt}"` +
    `,"appended_at":"${appendedAt}"` +
    unlessEmpty('resource_attribute_types', resource.attributes.types) +
    unlessZero('resource_dropped_attributes', resource.dropped_attributes_count) +
    unlessEmpty('resource_schema_url', resource.schema_url) +
    (scope.attributes.keys.length === 0 ? '' : `,"scope_attributes":${attributesText(scope.attributes)}`) +
    unlessEmpty('scope_attribute_types', scope.attributes.types) +
    unlessZero('scope_dropped_attributes', scope.dropped_attributes_count) +
    unlessEmpty('scope_schema_url', scope.schema_url)
  );
}

/** One span's own columns, and the end of the object. Times are nanoseconds, which ClickHouse takes as they are. */
export function spanColumns(span: Span): string {
  return (
    `,"Timestamp":${span.start}` +
    `,"end_time":${span.end}` +
    `,"Duration":${duration(span)}` +
    `,"SpanId":"${span.span_id}"` +
    unlessEmpty('ParentSpanId', span.parent_span_id) +
    unlessEmpty('TraceState', span.trace_state) +
    `,"SpanName":${quoted(span.name)}` +
    `,"SpanKind":"${spanKinds[span.kind] ?? span.kind}"` +
    `,"SpanAttributes":${attributesText(span.attributes)}` +
    `,"StatusCode":"${statusCodes[span.status_code] ?? span.status_code}"` +
    unlessEmpty('StatusMessage', span.status_message) +
    unlessZero('flags', span.flags) +
    unlessEmpty('attribute_types', span.attributes.types) +
    unlessZero('dropped_attributes', span.dropped_attributes_count) +
    unlessZero('dropped_events', span.dropped_events_count) +
    unlessZero('dropped_links', span.dropped_links_count) +
    (span.events.length === 0 ? '' : eventColumns(span.events)) +
    (span.links.length === 0 ? '' : linkColumns(span.links)) +
    '}'
  );
}

/** As the Collector's exporter names them; a number that has no name there stays a number. */
const spanKinds = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'];
const statusCodes = ['Unset', 'Ok', 'Error'];

function eventColumns(events: Span['events']): string {
  const column = (of: (event: Span['events'][number]) => string | number): string =>
    `[${events.map(of).join()}]`;
  return (
    `,"Events.Timestamp":${column(({ time }) => time)}` +
    `,"Events.Name":${column(({ name }) => quoted(name))}` +
    `,"Events.Attributes":${column(({ attributes }) => attributesText(attributes))}` +
    `,"event_attribute_types":${column(({ attributes }) => `"${attributes.types}"`)}` +
    `,"event_dropped_attributes":${column((event) => event.dropped_attributes_count)}`
  );
}

function linkColumns(links: Span['links']): string {
  const column = (of: (link: Span['links'][number]) => string | number): string =>
    `[${links.map(of).join()}]`;
  return (
    `,"Links.TraceId":${column((link) => `"${link.trace_id}"`)}` +
    `,"Links.SpanId":${column((link) => `"${link.span_id}"`)}` +
    `,"Links.TraceState":${column((link) => quoted(link.trace_state))}` +
    `,"Links.Attributes":${column(({ attributes }) => attributesText(attributes))}` +
    `,"link_attribute_types":${column(({ attributes }) => `"${attributes.types}"`)}` +
    `,"link_dropped_attributes":${column((link) => link.dropped_attributes_count)}` +
    `,"link_flags":${column(({ flags }) => flags)}`
  );
}

function attributesText({ keys, values }: Attributes): string {
  let text = '{';
  for (let index = 0; index < keys.length; index++) {
    text += `${index === 0 ? '' : ','}${quoted(keys[index] ?? '')}:${quoted(values[index] ?? '')}`;
  }
  return `${text}}`;
}

function serviceName({ keys, values }: Attributes): string {
  return values[keys.indexOf('service.name')] ?? '';
}

/** Nanoseconds; 0 where the sender's clock went backwards, as the column has no sign. */
function duration({ start, end }: Span): string {
  const nanoseconds = BigInt(end) - BigInt(start);
  return nanoseconds < 0n ? '0' : String(nanoseconds);
}

function unlessEmpty(column: string, text: string): string {
  return text === '' ? '' : `,"${column}":${quoted(text)}`;
}

function unlessZero(column: string, value: number): string {
  return value === 0 ? '' : `,"${column}":${value}`;
}
