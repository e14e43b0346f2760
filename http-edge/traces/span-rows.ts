import type { Attributes, SpanBlock } from '../../schemas/otlp/span-block.js';

/** A row of telltale.otel_traces, as `spanColumns` selects it. */
export interface StoredSpan {
  readonly TraceId: string;
  readonly SpanId: string;
  readonly ParentSpanId: string;
  readonly TraceState: string;
  readonly SpanName: string;
  readonly SpanKind: string;
  readonly ServiceName: string;
  readonly ScopeName: string;
  readonly ScopeVersion: string;
  readonly StatusCode: string;
  readonly StatusMessage: string;
  readonly Duration: string;
  readonly application: string;
  readonly workspace: string;
  readonly start: string;
  readonly end: string;
  readonly flags: number;
  readonly dropped: readonly [number, number, number];
  readonly resource: readonly [Entries, string, number, string];
  readonly scope: readonly [Entries, string, number, string];
  readonly span: readonly [Entries, string];
  readonly events: readonly (readonly [string, string, Entries, string, number])[];
  readonly links: readonly (readonly [string, string, string, Entries, string, number, number])[];
}

/** Keys and values: a map in JSON would lose a key that occurs twice. */
type Entries = readonly [readonly string[], readonly string[]];

const entries = (map: string): string => `(mapKeys(${map}), mapValues(${map}))`;

/** Every column of a span that OTLP knows. */
export const spanColumns = `
  TraceId, SpanId, ParentSpanId, TraceState, SpanName, SpanKind, ServiceName, ScopeName, ScopeVersion,
  StatusCode, StatusMessage, toString(Duration) AS Duration, application, workspace, flags,
  toString(toUnixTimestamp64Nano(Timestamp)) AS start, toString(toUnixTimestamp64Nano(end_time)) AS end,
  (dropped_attributes, dropped_events, dropped_links) AS dropped,
  (${entries('ResourceAttributes')}, resource_attribute_types, resource_dropped_attributes, resource_schema_url) AS resource,
  (${entries('scope_attributes')}, scope_attribute_types, scope_dropped_attributes, scope_schema_url) AS scope,
  (${entries('SpanAttributes')}, attribute_types) AS span,
  arrayMap((time, name, of, types, dropped) -> (toString(toUnixTimestamp64Nano(time)), name, ${entries('of')}, types, dropped),
  Events.Timestamp, Events.Name, Events.Attributes, event_attribute_types, event_dropped_attributes) AS events,
  arrayMap((trace, span, state, of, types, dropped, flags) -> (trace, span, state, ${entries('of')}, types, dropped, flags),
  Links.TraceId, Links.SpanId, Links.TraceState, Links.Attributes, link_attribute_types, link_dropped_attributes, link_flags) AS links`;

/** A row as a block of one span, with everything that OTLP sent about it. */
export function blockOf(row: StoredSpan): SpanBlock {
  const number = (names: readonly string[], name: string): number =>
    names.includes(name) ? names.indexOf(name) : Number(name);
  return {
    application: row.application,
    resource: common(row.resource),
    scope: { name: row.ScopeName, version: row.ScopeVersion, ...common(row.scope) },
    spans: [
      {
        trace_id: row.TraceId,
        span_id: row.SpanId,
        parent_span_id: row.ParentSpanId,
        trace_state: row.TraceState,
        flags: row.flags,
        name: row.SpanName,
        kind: number(['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'], row.SpanKind),
        start: row.start,
        end: row.end,
        ...attributesOf(row.span[0], row.span[1]),
        dropped_attributes_count: row.dropped[0],
        ...(row.events.length === 0
          ? {}
          : {
              events: row.events.map(([time, name, of, types, dropped]) => ({
                time,
                name,
                ...attributesOf(of, types),
                dropped_attributes_count: dropped,
              })),
            }),
        dropped_events_count: row.dropped[1],
        ...(row.links.length === 0
          ? {}
          : {
              links: row.links.map(([trace_id, span_id, trace_state, of, types, dropped, flags]) => ({
                trace_id,
                span_id,
                trace_state,
                ...attributesOf(of, types),
                dropped_attributes_count: dropped,
                flags,
              })),
            }),
        dropped_links_count: row.dropped[2],
        status_code: number(['Unset', 'Ok', 'Error'], row.StatusCode),
        status_message: row.StatusMessage,
      },
    ],
  };
}

function common([of, types, dropped, schema_url]: StoredSpan['resource']) {
  return { ...attributesOf(of, types), dropped_attributes_count: dropped, schema_url };
}

function attributesOf([keys, values]: Entries, types: string): { readonly attributes?: Attributes } {
  return keys.length === 0 ? {} : { attributes: { types, keys, values } };
}
