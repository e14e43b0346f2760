-- One row an entry of a slow log, scrubbed on the host that it comes from.
CREATE TABLE IF NOT EXISTS telltale.slow_operations
(
    id String CODEC(ZSTD(1)),
    workspace LowCardinality(String),
    cluster_uuid LowCardinality(String),
    cluster_name LowCardinality(Nullable(String)),
    node_id LowCardinality(Nullable(String)),
    node_name LowCardinality(Nullable(String)),
    at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    received_at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    inserted_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    kind LowCardinality(String),
    phase LowCardinality(String),
    level LowCardinality(String),
    `index` LowCardinality(String),
    index_uuid Nullable(String) CODEC(ZSTD(1)),
    shard Nullable(UInt32) CODEC(ZSTD(1)),
    took_ms Float64 CODEC(ZSTD(1)),
    total_hits Nullable(UInt64) CODEC(ZSTD(1)),
    total_hits_at_least Bool,
    search_type LowCardinality(Nullable(String)),
    total_shards Nullable(UInt32) CODEC(ZSTD(1)),
    stats Array(String) CODEC(ZSTD(1)),
    opaque_id Nullable(String) CODEC(ZSTD(1)),
    document_id Nullable(String) CODEC(ZSTD(1)),
    routing Nullable(String) CODEC(ZSTD(1)),
    trace_id Nullable(String) CODEC(ZSTD(1)),
    user Nullable(String) CODEC(ZSTD(1)),
    query Nullable(String) CODEC(ZSTD(3)),
    query_length UInt32 CODEC(ZSTD(1)),
    query_cut Bool,
    source_bytes Nullable(UInt64) CODEC(ZSTD(1)),
    source Nullable(String) CODEC(ZSTD(3)),
    source_cut Bool,
    redactions UInt32 CODEC(ZSTD(1)),
    withheld Nullable(String) CODEC(ZSTD(1)),
    _run LowCardinality(String),
    _topic LowCardinality(String),
    _partition UInt16,
    _offset UInt64 CODEC(Delta, ZSTD(1)),
    _previous_offset Int64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (workspace, cluster_uuid, at, id)
TTL toDateTime(at) + INTERVAL 90 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS non_replicated_deduplication_window = 50000;
