-- clusters.recoveries → telltale.cluster_recoveries: one row a recovery and snapshot, out of the JSON array that the record carries. The names and types
-- within the Tuple are those of the rows' fields; they become columns in this order. A field that it does not name is left out.
INSERT INTO telltale.{table:Identifier}
(
    workspace, cluster_uuid, cluster_name, cluster_version, section, slot, interval_seconds, taken_at,
    snapshot_id, reporter, part, parts, partial,
    `index`, shard, primary, type, stage, source_node_id, source_node, source_repository, source_snapshot,
    target_node_id, target_node, started_at, total_time_ms, bytes_total, bytes_reused, bytes_recovered,
    bytes_percent, files_total, files_reused, files_recovered, files_percent, translog_total,
    translog_recovered, translog_percent, source_throttle_time_ms, target_throttle_time_ms, bytes_per_second,
    _topic, _partition, _run, _offset, _previous_offset, _index, _rows
)
SELECT
    workspace, cluster_uuid, cluster_name, cluster_version, section, slot, interval_seconds, taken_at, id,
    reporter, part, parts, partial,
    untuple(item),
    {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset, place - 1, length(items)
FROM
(
    SELECT
        *,
        JSONExtract(rows, 'Array(Tuple(
            `index` String, shard UInt32, primary Nullable(Bool), type Nullable(String),
            stage Nullable(String), source_node_id Nullable(String), source_node Nullable(String),
            source_repository Nullable(String), source_snapshot Nullable(String),
            target_node_id Nullable(String), target_node Nullable(String),
            started_at Nullable(DateTime64(3, \'UTC\')), total_time_ms Nullable(Float64),
            bytes_total Nullable(Float64), bytes_reused Nullable(Float64), bytes_recovered Nullable(Float64),
            bytes_percent Nullable(Float64), files_total Nullable(Float64), files_reused Nullable(Float64),
            files_recovered Nullable(Float64), files_percent Nullable(Float64),
            translog_total Nullable(Float64), translog_recovered Nullable(Float64),
            translog_percent Nullable(Float64), source_throttle_time_ms Nullable(Float64),
            target_throttle_time_ms Nullable(Float64), bytes_per_second Nullable(Float64)
        ))') AS items
    FROM input('
        _offset UInt64, _previous_offset Int64, _appended_at DateTime64(3, \'UTC\'),
        id String, workspace String, cluster_uuid String, cluster_name Nullable(String), cluster_version Nullable(String),
        section String, slot DateTime64(3, \'UTC\'), interval_seconds UInt32, taken_at DateTime64(3, \'UTC\'),
        reporter Nullable(String), part UInt16, parts UInt16, partial Bool,
        rows String
    ')
    WHERE NOT throwIf(empty(items), 'the record has no rows, or they are no JSON')
)
ARRAY JOIN items AS item, arrayEnumerate(items) AS place
FORMAT Avro
