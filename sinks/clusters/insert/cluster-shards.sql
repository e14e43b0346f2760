-- clusters.shards → telltale.cluster_shards: one row a shard and snapshot, out of the JSON array that the record carries. The names and types
-- within the Tuple are those of the rows' fields; they become columns in this order. A field that it does not name is left out.
INSERT INTO telltale.{table:Identifier}
(
    workspace, cluster_uuid, cluster_name, cluster_version, section, slot, interval_seconds, taken_at,
    snapshot_id, reporter, part, parts, partial,
    `index`, index_uuid, shard, primary, state, node_id, node, relocating_to_node_id, relocating_to_node, docs,
    store_bytes, unassigned_reason, unassigned_at, unassigned_details, can_allocate, explanation, explained_at,
    failed_attempts, deciders, recommendation_code, recommendation,
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
            `index` String, index_uuid Nullable(String), shard UInt32, primary Bool, state Nullable(String),
            node_id Nullable(String), node Nullable(String), relocating_to_node_id Nullable(String),
            relocating_to_node Nullable(String), docs Nullable(Float64), store_bytes Nullable(Float64),
            unassigned_reason Nullable(String), unassigned_at Nullable(DateTime64(3, \'UTC\')),
            unassigned_details Nullable(String), can_allocate Nullable(String), explanation Nullable(String),
            explained_at Nullable(DateTime64(3, \'UTC\')), failed_attempts Nullable(Float64),
            deciders Nullable(String), recommendation_code Nullable(String), recommendation Nullable(String)
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
