-- One row a shard and snapshot; an unassigned one with the reason and, where there is one, the explanation.
CREATE TABLE IF NOT EXISTS telltale.cluster_shards
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
    index_uuid Nullable(String) CODEC(ZSTD(1)),
    shard UInt32,
    `primary` Bool,
    state LowCardinality(Nullable(String)),
    node_id LowCardinality(Nullable(String)),
    node LowCardinality(Nullable(String)),
    relocating_to_node_id LowCardinality(Nullable(String)),
    relocating_to_node LowCardinality(Nullable(String)),
    docs Nullable(Float64) CODEC(ZSTD(1)),
    store_bytes Nullable(Float64) CODEC(ZSTD(1)),
    unassigned_reason LowCardinality(Nullable(String)),
    unassigned_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    unassigned_details Nullable(String) CODEC(ZSTD(1)),
    can_allocate LowCardinality(Nullable(String)),
    explanation Nullable(String) CODEC(ZSTD(1)),
    explained_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    failed_attempts Nullable(Float64) CODEC(ZSTD(1)),
    deciders Nullable(String) CODEC(ZSTD(1)),
    recommendation_code LowCardinality(Nullable(String)),
    recommendation Nullable(String) CODEC(ZSTD(1)),
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
TTL toDateTime(slot) + INTERVAL 14 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS non_replicated_deduplication_window = 50000;
