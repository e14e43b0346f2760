-- A minute of one metric: what telltale.events_by_minute reads. A metric that comes under several types has a row for
-- each. The window is that of the events: a retried insert is known here too, or its events would count twice.
CREATE TABLE IF NOT EXISTS telltale.events_1m
(
    workspace LowCardinality(String),
    metric String CODEC(ZSTD(1)),
    cluster String CODEC(ZSTD(1)),
    type LowCardinality(String),
    minute DateTime('UTC') CODEC(DoubleDelta, ZSTD(1)),
    events SimpleAggregateFunction(sum, UInt64),
    total SimpleAggregateFunction(sum, Float64),
    lowest SimpleAggregateFunction(min, Float64),
    highest SimpleAggregateFunction(max, Float64),
    -- By event time, then by offset: the records of a metric lie in one partition.
    latest AggregateFunction(argMax, Float64, Tuple(DateTime64(6, 'UTC'), UInt64)),
    -- Empty for every type but distribution.
    spread AggregateFunction(quantilesTDigestIf(0.5, 0.9, 0.95, 0.99), Float64, UInt8)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(minute)
ORDER BY (workspace, metric, cluster, type, minute)
TTL minute + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS telltale.events_to_1m TO telltale.events_1m AS
SELECT
    workspace,
    metric,
    cluster,
    type,
    toStartOfMinute(toDateTime(occurred_at, 'UTC')) AS minute,
    count() AS events,
    sum(value) AS total,
    min(value) AS lowest,
    max(value) AS highest,
    argMaxState(value, (occurred_at, _offset)) AS latest,
    quantilesTDigestIfState(0.5, 0.9, 0.95, 0.99)(value, type = 'distribution') AS spread
FROM telltale.events
GROUP BY workspace, metric, cluster, type, minute;

-- The rollup as it is to be read: of each minute what its type means, and null where a figure means nothing.
CREATE VIEW IF NOT EXISTS telltale.events_by_minute AS
SELECT
    workspace,
    metric,
    cluster,
    type,
    minute,
    events,
    if(counts, total, NULL) AS sum,
    multiIf(type = 'increment', total, type = 'decrement', -total, NULL) AS change,
    if(counts, NULL, lowest) AS min,
    if(counts, NULL, highest) AS max,
    if(counts, NULL, total / events) AS mean,
    if(counts OR type = 'distribution', NULL, latest) AS last,
    if(type = 'distribution', spread[1], NULL) AS p50,
    if(type = 'distribution', spread[2], NULL) AS p90,
    if(type = 'distribution', spread[3], NULL) AS p95,
    if(type = 'distribution', spread[4], NULL) AS p99
FROM
(
    SELECT
        workspace,
        metric,
        cluster,
        type,
        minute,
        type IN ('increment', 'decrement') AS counts,
        sum(one.events) AS events,
        sum(one.total) AS total,
        min(one.lowest) AS lowest,
        max(one.highest) AS highest,
        argMaxMerge(one.latest) AS latest,
        quantilesTDigestIfMerge(0.5, 0.9, 0.95, 0.99)(one.spread) AS spread
    FROM telltale.events_1m AS one
    GROUP BY workspace, metric, cluster, type, minute
);
