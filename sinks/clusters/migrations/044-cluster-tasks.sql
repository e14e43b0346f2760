-- One row a task and snapshot: long-running ones, and those that wait for the master.
CREATE TABLE IF NOT EXISTS telltale.cluster_tasks
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
    kind LowCardinality(String),
    task_id Nullable(String) CODEC(ZSTD(1)),
    parent_task_id Nullable(String) CODEC(ZSTD(1)),
    node_id LowCardinality(Nullable(String)),
    action LowCardinality(Nullable(String)),
    started_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    running_ms Nullable(Float64) CODEC(ZSTD(1)),
    cancellable Nullable(Bool),
    cancelled Nullable(Bool),
    from_indices Array(LowCardinality(String)) CODEC(ZSTD(1)),
    to_index Nullable(String) CODEC(ZSTD(1)),
    total Nullable(Float64) CODEC(ZSTD(1)),
    created Nullable(Float64) CODEC(ZSTD(1)),
    updated Nullable(Float64) CODEC(ZSTD(1)),
    deleted Nullable(Float64) CODEC(ZSTD(1)),
    batches Nullable(Float64) CODEC(ZSTD(1)),
    version_conflicts Nullable(Float64) CODEC(ZSTD(1)),
    throttled_ms Nullable(Float64) CODEC(ZSTD(1)),
    requests_per_second Nullable(Float64) CODEC(ZSTD(1)),
    progress_ratio Nullable(Float64) CODEC(ZSTD(1)),
    insert_order Nullable(Float64) CODEC(ZSTD(1)),
    priority LowCardinality(Nullable(String)),
    `source` Nullable(String) CODEC(ZSTD(1)),
    executing Nullable(Bool),
    queued_ms Nullable(Float64) CODEC(ZSTD(1)),
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
ORDER BY (workspace, cluster_uuid, slot, kind)
TTL toDateTime(slot) + INTERVAL 90 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS non_replicated_deduplication_window = 50000;
