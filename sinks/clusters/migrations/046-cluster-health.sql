-- The score of a cluster each minute, and whenever it changed, with a reason for each deduction.
CREATE TABLE IF NOT EXISTS telltale.cluster_health
(
    workspace LowCardinality(String),
    cluster_uuid LowCardinality(String),
    cluster_name LowCardinality(Nullable(String)),
    cluster_version LowCardinality(Nullable(String)),
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    inserted_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    status LowCardinality(Nullable(String)),
    score Nullable(UInt8),
    floored Bool,
    `deductions.code` Array(LowCardinality(String)),
    `deductions.category` Array(LowCardinality(String)),
    `deductions.points` Array(UInt8),
    `deductions.points_alone` Array(UInt8),
    `deductions.reason` Array(String) CODEC(ZSTD(1)),
    `not_measured.what` Array(LowCardinality(String)),
    `not_measured.reason` Array(String) CODEC(ZSTD(1)),
    _run LowCardinality(String),
    _topic LowCardinality(String),
    _partition UInt16,
    _offset UInt64 CODEC(Delta, ZSTD(1)),
    _previous_offset Int64 CODEC(Delta, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (workspace, cluster_uuid, at)
TTL toDateTime(at) + INTERVAL 400 DAY
-- The window outlasts every range that sinks can have open: one a partition, and one more after a crash.
SETTINGS non_replicated_deduplication_window = 50000;
