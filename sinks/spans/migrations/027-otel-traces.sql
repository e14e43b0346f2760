-- The columns with capital letters are those of the OpenTelemetry Collector's ClickHouse exporter, by name and type, so
-- that whatever reads its table reads this one. The others are ours: who sent it, what OTLP says beyond those columns
-- (with them every span can be written as OTLP again), and where the row comes from.
-- Partitions and expiry go by the day of arrival in Kafka, not by the span's own time, which is whatever its sender
-- says: spans of a thousand days in one request must not become a thousand parts, nor old ones be deleted on arrival.
-- Lists and heat maps read a stretch of time of one workspace, so this is how rows are sorted, and what they read is LZ4,
-- the default: it is read several times as fast as ZSTD. The same holds for attributes: a search reads them in every block
-- that may have one, and in small compressed blocks little that is not asked for.
CREATE TABLE IF NOT EXISTS telltale.otel_traces
(
    Timestamp DateTime64(9) CODEC(Delta, LZ4),
    TraceId String,
    SpanId String,
    ParentSpanId String,
    TraceState String CODEC(ZSTD(1)),
    SpanName LowCardinality(String),
    SpanKind LowCardinality(String),
    ServiceName LowCardinality(String),
    ResourceAttributes Map(LowCardinality(String), String),
    ScopeName String CODEC(ZSTD(1)),
    ScopeVersion String CODEC(ZSTD(1)),
    SpanAttributes Map(LowCardinality(String), String),
    Duration UInt64,
    StatusCode LowCardinality(String),
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

    -- Where work enters an application: a span without a parent, or one that answers a call or takes a message.
    is_entry Bool MATERIALIZED ParentSpanId = '' OR SpanKind IN ('Server', 'Consumer'),

    INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX idx_res_attr_key mapKeys(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_res_attr_value mapValues(ResourceAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_span_attr_key mapKeys(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_span_attr_value mapValues(SpanAttributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX idx_duration Duration TYPE minmax GRANULARITY 1,
    INDEX idx_timestamp Timestamp TYPE minmax GRANULARITY 1,
    -- From where a sink goes on is asked by partition and offset, and the table is sorted by neither.
    INDEX by_offset (_partition, _offset) TYPE minmax GRANULARITY 1,

    -- Questions about applications are about entry spans alone: they come first, and the states of quantiles of all other
    -- spans are not read.
    PROJECTION entries_by_minute
    (
        SELECT
            workspace, is_entry, application, ServiceName, SpanName, toStartOfMinute(Timestamp),
            count(), countIf(StatusCode = 'Error'), quantilesTDigest(0.5, 0.95, 0.99)(Duration)
        GROUP BY workspace, is_entry, application, ServiceName, SpanName, toStartOfMinute(Timestamp)
    )
)
ENGINE = MergeTree
PARTITION BY toDate(appended_at)
ORDER BY (workspace, is_entry, Timestamp)
TTL toDate(appended_at) + INTERVAL 30 DAY
-- The deduplication window outlasts every range that sinks can have open: one a partition, and one more after a crash.
-- A wide part has two files for each of some 120 streams: of the CPU of an insert of 15,000 spans, the file system took two
-- thirds. Merges of ten parts at least write a row again fewer times than the default's of five. A search by an attribute
-- that one of 10,000 spans has reads a third of all blocks of 4,096 rows, and more than half of those of 8,192.
SETTINGS
    ttl_only_drop_parts = 1, non_replicated_deduplication_window = 50000,
    min_bytes_for_wide_part = 536870912, max_compress_block_size = 65536, min_parts_to_merge_at_once = 10,
    index_granularity = 4096;

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

-- A table that an earlier version created has other codecs, and stays sorted by service until `telltale replay table spans`
-- sorts it anew.
ALTER TABLE telltale.otel_traces
    MODIFY COLUMN Timestamp DateTime64(9) CODEC(Delta, LZ4),
    MODIFY COLUMN TraceId String CODEC(Default),
    MODIFY COLUMN SpanId String CODEC(Default),
    MODIFY COLUMN ParentSpanId String CODEC(Default),
    MODIFY COLUMN SpanName LowCardinality(String) CODEC(Default),
    MODIFY COLUMN SpanKind LowCardinality(String) CODEC(Default),
    MODIFY COLUMN ServiceName LowCardinality(String) CODEC(Default),
    MODIFY COLUMN ResourceAttributes Map(LowCardinality(String), String) CODEC(Default),
    MODIFY COLUMN SpanAttributes Map(LowCardinality(String), String) CODEC(Default),
    MODIFY COLUMN Duration UInt64 CODEC(Default),
    MODIFY COLUMN StatusCode LowCardinality(String) CODEC(Default),
    MODIFY SETTING max_compress_block_size = 65536;
