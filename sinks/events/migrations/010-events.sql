-- One row an event. A metric's name is a plain string: a dictionary of names would grow with them.
CREATE TABLE IF NOT EXISTS telltale.events
(
    workspace LowCardinality(String),
    metric String CODEC(ZSTD(1)),
    cluster String CODEC(ZSTD(1)),
    type LowCardinality(String),
    value Float64 CODEC(ZSTD(1)),
    occurred_at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    received_at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    appended_at DateTime64(6, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    inserted_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    key_id LowCardinality(String),
    source LowCardinality(String),
    _run LowCardinality(String),
    _topic LowCardinality(String),
    _partition UInt16,
    _offset UInt64 CODEC(Delta, ZSTD(1)),
    _previous_offset Int64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (workspace, metric, cluster, occurred_at)
TTL toDateTime(occurred_at) + INTERVAL 400 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS non_replicated_deduplication_window = 50000;
