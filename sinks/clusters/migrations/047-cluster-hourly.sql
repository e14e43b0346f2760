-- By the hour, and kept as long as the scores: `avgMerge(x_avg)` and `max(x_max)`; what was not measured does not count.
CREATE TABLE IF NOT EXISTS telltale.cluster_nodes_hourly
(
    workspace LowCardinality(String),
    cluster_uuid LowCardinality(String),
    hour DateTime('UTC') CODEC(DoubleDelta, ZSTD(1)),
    node_id LowCardinality(String),
    samples SimpleAggregateFunction(sum, UInt64),
    heap_used_percent_avg AggregateFunction(avg, Nullable(Float64)),
    heap_used_percent_max SimpleAggregateFunction(max, Nullable(Float64)),
    host_cpu_percent_avg AggregateFunction(avg, Nullable(Float64)),
    host_cpu_percent_max SimpleAggregateFunction(max, Nullable(Float64)),
    fs_used_ratio_avg AggregateFunction(avg, Nullable(Float64)),
    fs_used_ratio_max SimpleAggregateFunction(max, Nullable(Float64)),
    gc_share_avg AggregateFunction(avg, Nullable(Float64)),
    gc_share_max SimpleAggregateFunction(max, Nullable(Float64)),
    queries_per_second_avg AggregateFunction(avg, Nullable(Float64)),
    queries_per_second_max SimpleAggregateFunction(max, Nullable(Float64)),
    query_latency_ms_avg AggregateFunction(avg, Nullable(Float64)),
    query_latency_ms_max SimpleAggregateFunction(max, Nullable(Float64)),
    indexed_per_second_avg AggregateFunction(avg, Nullable(Float64)),
    indexed_per_second_max SimpleAggregateFunction(max, Nullable(Float64)),
    indexing_latency_ms_avg AggregateFunction(avg, Nullable(Float64)),
    indexing_latency_ms_max SimpleAggregateFunction(max, Nullable(Float64))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (workspace, cluster_uuid, node_id, hour)
TTL hour + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS telltale.cluster_nodes_hourly_view TO telltale.cluster_nodes_hourly AS
SELECT
    workspace,
    cluster_uuid,
    toStartOfHour(slot, 'UTC') AS hour,
    node_id,
    count() AS samples,
    avgState(heap_used_percent) AS heap_used_percent_avg,
    max(heap_used_percent) AS heap_used_percent_max,
    avgState(host_cpu_percent) AS host_cpu_percent_avg,
    max(host_cpu_percent) AS host_cpu_percent_max,
    avgState(fs_used_ratio) AS fs_used_ratio_avg,
    max(fs_used_ratio) AS fs_used_ratio_max,
    avgState(gc_share) AS gc_share_avg,
    max(gc_share) AS gc_share_max,
    avgState(queries_per_second) AS queries_per_second_avg,
    max(queries_per_second) AS queries_per_second_max,
    avgState(query_latency_ms) AS query_latency_ms_avg,
    max(query_latency_ms) AS query_latency_ms_max,
    avgState(indexed_per_second) AS indexed_per_second_avg,
    max(indexed_per_second) AS indexed_per_second_max,
    avgState(indexing_latency_ms) AS indexing_latency_ms_avg,
    max(indexing_latency_ms) AS indexing_latency_ms_max
FROM telltale.cluster_nodes
GROUP BY workspace, cluster_uuid, hour, node_id;

CREATE TABLE IF NOT EXISTS telltale.cluster_indices_hourly
(
    workspace LowCardinality(String),
    cluster_uuid LowCardinality(String),
    hour DateTime('UTC') CODEC(DoubleDelta, ZSTD(1)),
    `index` LowCardinality(String),
    samples SimpleAggregateFunction(sum, UInt64),
    docs_count_avg AggregateFunction(avg, Nullable(Float64)),
    docs_count_max SimpleAggregateFunction(max, Nullable(Float64)),
    store_bytes_avg AggregateFunction(avg, Nullable(Float64)),
    store_bytes_max SimpleAggregateFunction(max, Nullable(Float64)),
    docs_growth_per_second_avg AggregateFunction(avg, Nullable(Float64)),
    docs_growth_per_second_max SimpleAggregateFunction(max, Nullable(Float64)),
    queries_per_second_avg AggregateFunction(avg, Nullable(Float64)),
    queries_per_second_max SimpleAggregateFunction(max, Nullable(Float64)),
    query_latency_ms_avg AggregateFunction(avg, Nullable(Float64)),
    query_latency_ms_max SimpleAggregateFunction(max, Nullable(Float64)),
    indexed_per_second_avg AggregateFunction(avg, Nullable(Float64)),
    indexed_per_second_max SimpleAggregateFunction(max, Nullable(Float64)),
    indexing_latency_ms_avg AggregateFunction(avg, Nullable(Float64)),
    indexing_latency_ms_max SimpleAggregateFunction(max, Nullable(Float64))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (workspace, cluster_uuid, `index`, hour)
TTL hour + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 50000;

CREATE MATERIALIZED VIEW IF NOT EXISTS telltale.cluster_indices_hourly_view TO telltale.cluster_indices_hourly AS
SELECT
    workspace,
    cluster_uuid,
    toStartOfHour(slot, 'UTC') AS hour,
    `index`,
    count() AS samples,
    avgState(docs_count) AS docs_count_avg,
    max(docs_count) AS docs_count_max,
    avgState(store_bytes) AS store_bytes_avg,
    max(store_bytes) AS store_bytes_max,
    avgState(docs_growth_per_second) AS docs_growth_per_second_avg,
    max(docs_growth_per_second) AS docs_growth_per_second_max,
    avgState(queries_per_second) AS queries_per_second_avg,
    max(queries_per_second) AS queries_per_second_max,
    avgState(query_latency_ms) AS query_latency_ms_avg,
    max(query_latency_ms) AS query_latency_ms_max,
    avgState(indexed_per_second) AS indexed_per_second_avg,
    max(indexed_per_second) AS indexed_per_second_max,
    avgState(indexing_latency_ms) AS indexing_latency_ms_avg,
    max(indexing_latency_ms) AS indexing_latency_ms_max
FROM telltale.cluster_indices
GROUP BY workspace, cluster_uuid, hour, `index`;
