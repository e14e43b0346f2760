-- What the read API asks most, in a few columns and in its order. Projections belong to the table's own parts: a retried
-- insert, an expired day and a replaced table need nothing more. Parts that were written before have neither, and are
-- read whole until their day expires.

-- Where work enters an application: a span without a parent, or one that answers a call or takes a message.
ALTER TABLE telltale.otel_traces ADD COLUMN IF NOT EXISTS
    is_entry Bool MATERIALIZED ParentSpanId = '' OR SpanKind IN ('Server', 'Consumer');

ALTER TABLE telltale.otel_traces ADD PROJECTION IF NOT EXISTS by_time
(
    SELECT
        workspace, is_entry, Timestamp, TraceId, SpanId, ParentSpanId, SpanKind, SpanName, ServiceName, application,
        StatusCode, Duration
    ORDER BY workspace, is_entry, Timestamp
);

ALTER TABLE telltale.otel_traces ADD PROJECTION IF NOT EXISTS by_minute
(
    SELECT
        workspace, application, ServiceName, SpanName, is_entry, toStartOfMinute(Timestamp),
        count(), countIf(StatusCode = 'Error'), quantilesTDigest(0.5, 0.95, 0.99)(Duration)
    GROUP BY workspace, application, ServiceName, SpanName, is_entry, toStartOfMinute(Timestamp)
);
