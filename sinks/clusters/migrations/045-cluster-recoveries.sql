-- One row a shard recovery that was under way, and snapshot.
CREATE TABLE IF NOT EXISTS telltale.cluster_recoveries
(
    workspace LowCardinality(String),
    cluster_uuid LowCardinality(String),
    cluster_name LowCardinality(Nullable(String)),
    cluster_version LowCardinality(Nullable(String)),
    section LowCardinality(String),
    slot DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    interval_seconds UInt32,
    taken_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    snapshot_id String CODEC(ZSTD(1)),
    reporter LowCardinality(Nullable(String)),
    part UInt16,
    parts UInt16,
    partial Bool,
    inserted_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    `index` LowCardinality(String),
    shard UInt32,
    `primary` Nullable(Bool),
    `type` LowCardinality(Nullable(String)),
    stage LowCardinality(Nullable(String)),
    source_node_id LowCardinality(Nullable(String)),
    source_node LowCardinality(Nullable(String)),
    source_repository LowCardinality(Nullable(String)),
    source_snapshot Nullable(String) CODEC(ZSTD(1)),
    target_node_id LowCardinality(Nullable(String)),
    target_node LowCardinality(Nullable(String)),
    started_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    total_time_ms Nullable(Float64) CODEC(ZSTD(1)),
    bytes_total Nullable(Float64) CODEC(ZSTD(1)),
    bytes_reused Nullable(Float64) CODEC(ZSTD(1)),
    bytes_recovered Nullable(Float64) CODEC(ZSTD(1)),
    bytes_percent Nullable(Float64) CODEC(ZSTD(1)),
    files_total Nullable(Float64) CODEC(ZSTD(1)),
    files_reused Nullable(Float64) CODEC(ZSTD(1)),
    files_recovered Nullable(Float64) CODEC(ZSTD(1)),
    files_percent Nullable(Float64) CODEC(ZSTD(1)),
    translog_total Nullable(Float64) CODEC(ZSTD(1)),
    translog_recovered Nullable(Float64) CODEC(ZSTD(1)),
    translog_percent Nullable(Float64) CODEC(ZSTD(1)),
    source_throttle_time_ms Nullable(Float64) CODEC(ZSTD(1)),
    target_throttle_time_ms Nullable(Float64) CODEC(ZSTD(1)),
    bytes_per_second Nullable(Float64) CODEC(ZSTD(1)),
    _run LowCardinality(String),
    _topic LowCardinality(String),
    _partition UInt16,
    _offset UInt64 CODEC(Delta, ZSTD(1)),
    _previous_offset Int64 CODEC(Delta, ZSTD(1)),
    _index UInt32 CODEC(Delta, ZSTD(1)),
    _rows UInt32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(slot)
ORDER BY (workspace, cluster_uuid, slot, index, shard)
TTL toDateTime(slot) + INTERVAL 90 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS non_replicated_deduplication_window = 50000;
