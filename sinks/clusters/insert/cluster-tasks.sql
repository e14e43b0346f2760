-- clusters.tasks → telltale.cluster_tasks: one row a task and snapshot, out of the JSON array that the record carries. The names and types
-- within the Tuple are those of the rows' fields; they become columns in this order. A field that it does not name is left out.
INSERT INTO telltale.{table:Identifier}
(
    workspace, cluster_uuid, cluster_name, cluster_version, section, slot, interval_seconds, taken_at,
    snapshot_id, reporter, part, parts, partial,
    kind, task_id, parent_task_id, node_id, action, started_at, running_ms, cancellable, cancelled,
    from_indices, to_index, total, created, updated, deleted, batches, version_conflicts, throttled_ms,
    requests_per_second, progress_ratio, insert_order, priority, source, executing, queued_ms,
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
            kind String, task_id Nullable(String), parent_task_id Nullable(String), node_id Nullable(String),
            action Nullable(String), started_at Nullable(DateTime64(3, \'UTC\')), running_ms Nullable(Float64),
            cancellable Nullable(Bool), cancelled Nullable(Bool), from_indices Array(String),
            to_index Nullable(String), total Nullable(Float64), created Nullable(Float64),
            updated Nullable(Float64), deleted Nullable(Float64), batches Nullable(Float64),
            version_conflicts Nullable(Float64), throttled_ms Nullable(Float64),
            requests_per_second Nullable(Float64), progress_ratio Nullable(Float64),
            insert_order Nullable(Float64), priority Nullable(String), source Nullable(String),
            executing Nullable(Bool), queued_ms Nullable(Float64)
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
