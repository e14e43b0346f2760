-- The columns with capital letters are those of the OpenTelemetry Collector's ClickHouse exporter, by name and type, so
-- that whatever reads its table reads this one. The others are ours: who sent it, what OTLP says beyond those columns
-- (with them every span can be written as OTLP again), and where the row comes from.
-- Partitions and expiry go by the day of arrival in Kafka, not by the span's own time, which is whatever its sender
-- says: spans of a thousand days in one request must not become a thousand parts, nor old ones be deleted on arrival.
CREATE TABLE IF NOT EXISTS telltale.otel_traces
(
    Timestamp DateTime64(9) CODEC(Delta, ZSTD(1)),
    TraceId String CODEC(ZSTD(1)),
    SpanId String CODEC(ZSTD(1)),
    ParentSpanId String CODEC(ZSTD(1)),
    TraceState String CODEC(ZSTD(1)),
    SpanName LowCardinality(String) CODEC(ZSTD(1)),
    SpanKind LowCardinality(String) CODEC(ZSTD(1)),
    ServiceName LowCardinality(String) CODEC(ZSTD(1)),
    ResourceAttributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    ScopeName String CODEC(ZSTD(1)),
    ScopeVersion String CODEC(ZSTD(1)),
    SpanAttributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    Duration UInt64 CODEC(ZSTD(1)),
    StatusCode LowCardinality(String) CODEC(ZSTD(1)),
    StatusMessage String CODEC(ZSTD(1)),
    Events Nested
    (
        Timestamp DateTime64(9),
        Name LowCardinality(String),
        Attributes Map(LowCardinality(String), String)
    ) CODEC(ZSTD(1)),
    Links Nested
    (
        TraceId String,
        SpanId String,
        TraceState String,
        Attributes Map(LowCardinality(String), String)
    ) CODEC(ZSTD(1)),

    workspace LowCardinality(String),
    application LowCardinality(String),
    key_id LowCardinality(String),
    received_at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    appended_at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    inserted_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),

    end_time DateTime64(9) CODEC(Delta, ZSTD(1)),
    flags UInt32 CODEC(ZSTD(1)),
    attribute_types String CODEC(ZSTD(1)),
    dropped_attributes UInt32 CODEC(ZSTD(1)),
    resource_attribute_types String CODEC(ZSTD(1)),
    resource_dropped_attributes UInt32 CODEC(ZSTD(1)),
    resource_schema_url LowCardinality(String) CODEC(ZSTD(1)),
    scope_attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    scope_attribute_types String CODEC(ZSTD(1)),
    scope_dropped_attributes UInt32 CODEC(ZSTD(1)),
    scope_schema_url LowCardinality(String) CODEC(ZSTD(1)),
    event_attribute_types Array(String) CODEC(ZSTD(1)),
    event_dropped_attributes Array(UInt32) CODEC(ZSTD(1)),
    dropped_events UInt32 CODEC(ZSTD(1)),
    link_attribute_types Array(String) CODEC(ZSTD(1)),
    link_dropped_attributes Array(UInt32) CODEC(ZSTD(1)),
    link_flags Array(UInt32) CODEC(ZSTD(1)),
    dropped_links UInt32 CODEC(ZSTD(1)),

    _topic LowCardinality(String),
    _partition UInt16,
    _offset UInt64 CODEC(Delta, ZSTD(1)),
    _index UInt32 CODEC(ZSTD(1)),
    _rows UInt32 CODEC(ZSTD(1)),
    _run LowCardinality(String),
    _previous_offset Int64 CODEC(Delta, ZSTD(1)),

    INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX idx_res_attr_key mapKeys(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_res_attr_value mapValues(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_span_attr_key mapKeys(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_span_attr_value mapValues(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_duration Duration TYPE minmax GRANULARITY 1,
    INDEX idx_timestamp Timestamp TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toDate(appended_at)
ORDER BY (ServiceName, SpanName, toDateTime(Timestamp))
TTL toDate(appended_at) + INTERVAL 30 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 50000;

-- From when to when a trace lasts: a look-up by trace id then reads only that stretch of time.
CREATE TABLE IF NOT EXISTS telltale.otel_traces_trace_id_ts
(
    TraceId String CODEC(ZSTD(1)),
    Start SimpleAggregateFunction(min, DateTime) CODEC(ZSTD(1)),
    End SimpleAggregateFunction(max, DateTime) CODEC(ZSTD(1)),
    appended_on Date
)
ENGINE = AggregatingMergeTree
PARTITION BY appended_on
ORDER BY TraceId
TTL appended_on + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS telltale.otel_traces_trace_id_ts_mv TO telltale.otel_traces_trace_id_ts AS
SELECT TraceId, min(Timestamp) AS Start, max(Timestamp) AS End, toDate(appended_at) AS appended_on
FROM telltale.otel_traces
GROUP BY TraceId, appended_on;
