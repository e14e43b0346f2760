-- ingest.spans → telltale.otel_traces: one row a span; its resource and scope are those of its record.
INSERT INTO telltale.{table:Identifier}
(
    Timestamp, TraceId, SpanId, ParentSpanId, TraceState, SpanName, SpanKind, ServiceName, ResourceAttributes,
    ScopeName, ScopeVersion, SpanAttributes, Duration, StatusCode, StatusMessage,
    Events.Timestamp, Events.Name, Events.Attributes,
    Links.TraceId, Links.SpanId, Links.TraceState, Links.Attributes,
    workspace, application, key_id, received_at, appended_at, end_time, flags, attribute_types, dropped_attributes,
    resource_attribute_types, resource_dropped_attributes, resource_schema_url,
    scope_attributes, scope_attribute_types, scope_dropped_attributes, scope_schema_url,
    event_attribute_types, event_dropped_attributes, dropped_events,
    link_attribute_types, link_dropped_attributes, link_flags, dropped_links,
    _topic, _partition, _run, _offset, _previous_offset, _index, _rows
)
SELECT
    fromUnixTimestamp64Nano(toInt64(span.start)), trace_id, span.span_id, span.parent_span_id, span.trace_state, span.name,
    -- As the Collector's exporter names them; a number that has no name there stays a number.
    transform(
        span.kind,
        [0, 1, 2, 3, 4, 5],
        ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'],
        toString(span.kind)
    ),
    resource.attributes.values[indexOf(resource.attributes.keys, 'service.name')],
    mapFromArrays(resource.attributes.keys, resource.attributes.values),
    scope.name, scope.version,
    mapFromArrays(span.attributes.keys, span.attributes.values),
    -- 0 where the sender's clock went backwards, as the column has no sign.
    greatest(toInt64(span.end) - toInt64(span.start), 0),
    transform(span.status_code, [0, 1, 2], ['Unset', 'Ok', 'Error'], toString(span.status_code)),
    span.status_message,
    arrayMap(time -> fromUnixTimestamp64Nano(toInt64(time)), span.events.time),
    span.events.name,
    arrayMap((keys, values) -> mapFromArrays(keys, values), span.events.attributes.keys, span.events.attributes.values),
    span.links.trace_id, span.links.span_id, span.links.trace_state,
    arrayMap((keys, values) -> mapFromArrays(keys, values), span.links.attributes.keys, span.links.attributes.values),
    workspace, application, key_id, received_at, _appended_at, fromUnixTimestamp64Nano(toInt64(span.end)),
    span.flags, span.attributes.types, span.dropped_attributes_count,
    resource.attributes.types, resource.dropped_attributes_count, resource.schema_url,
    mapFromArrays(scope.attributes.keys, scope.attributes.values), scope.attributes.types,
    scope.dropped_attributes_count, scope.schema_url,
    span.events.attributes.types, span.events.dropped_attributes_count, span.dropped_events_count,
    span.links.attributes.types, span.links.dropped_attributes_count, span.links.flags, span.dropped_links_count,
    {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset, place - 1, length(spans)
FROM
(
    SELECT *
    FROM input('
        _offset UInt64, _previous_offset Int64, _appended_at DateTime64(3, \'UTC\'),
        workspace String, key_id String, application String, trace_id String, received_at DateTime64(6, \'UTC\'),
        resource Tuple(
            attributes Tuple(types String, keys Array(String), values Array(String)),
            dropped_attributes_count Int64, schema_url String
        ),
        scope Tuple(
            name String, version String, attributes Tuple(types String, keys Array(String), values Array(String)),
            dropped_attributes_count Int64, schema_url String
        ),
        spans Array(Tuple(
            span_id String, parent_span_id String, trace_state String, flags Int64, name String, kind Int64,
            start String, end String, attributes Tuple(types String, keys Array(String), values Array(String)),
            dropped_attributes_count Int64,
            events Array(Tuple(
                time String, name String, attributes Tuple(types String, keys Array(String), values Array(String)),
                dropped_attributes_count Int64
            )),
            dropped_events_count Int64,
            links Array(Tuple(
                trace_id String, span_id String, trace_state String,
                attributes Tuple(types String, keys Array(String), values Array(String)),
                dropped_attributes_count Int64, flags Int64
            )),
            dropped_links_count Int64, status_code Int64, status_message String
        ))
    ')
    WHERE NOT throwIf(empty(spans), 'the record has no spans')
)
ARRAY JOIN spans AS span, arrayEnumerate(spans) AS place
FORMAT Avro
