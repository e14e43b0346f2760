-- clusters.overview → telltale.cluster_overview: one row a snapshot, out of the JSON array that the record carries. The names and types
-- within the Tuple are those of the rows' fields; they become columns in this order. A field that it does not name is left out.
INSERT INTO telltale.{table:Identifier}
(
    workspace, cluster_uuid, cluster_name, cluster_version, section, slot, interval_seconds, taken_at,
    snapshot_id, reporter, part, parts, partial,
    unavailable,
    status, no_master, nodes, data_nodes, active_primaries, active_shards, relocating_shards,
    initializing_shards, unassigned_shards, delayed_unassigned_shards, unassigned_primaries,
    active_shards_percent, pending_tasks, pending_tasks_max_wait_ms, in_flight_fetches, master_node_id,
    master_node, took_ms, items, nodes_failed, nodes_cut, indices, shards, primaries, docs_count, docs_deleted,
    store_bytes, data_set_bytes, docs_growth_per_second, store_growth_bytes_per_second, growth_gap,
    fielddata_bytes, query_cache_bytes, completion_bytes, segments_count, segments_memory_bytes, processors,
    memory_total_bytes, memory_used_bytes, heap_used_bytes, heap_max_bytes, threads, max_uptime_ms,
    fs_total_bytes, fs_free_bytes, fs_available_bytes, versions, nodes_by_role, shards_cut, tasks, recoveries,
    data_streams, backing_indices, details,
    _topic, _partition, _run, _offset, _previous_offset, _index, _rows
)
SELECT
    workspace, cluster_uuid, cluster_name, cluster_version, section, slot, interval_seconds, taken_at, id,
    reporter, part, parts, partial,
    -- A field can be null for several reasons: some elements for one, others for another.
    CAST(
        (
            arrayDistinct(unavailable.field),
            arrayMap(
                field -> arrayStringConcat(arrayFilter(why -> why.field = field, unavailable).reason, '; '),
                arrayDistinct(unavailable.field)
            )
        ),
        'Map(String, String)'
    ),
    untuple(item),
    {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset, place - 1, length(items)
FROM
(
    SELECT
        *,
        JSONExtract(rows, 'Array(Tuple(
            status Nullable(String), no_master Nullable(Bool), nodes Nullable(Float64),
            data_nodes Nullable(Float64), active_primaries Nullable(Float64), active_shards Nullable(Float64),
            relocating_shards Nullable(Float64), initializing_shards Nullable(Float64),
            unassigned_shards Nullable(Float64), delayed_unassigned_shards Nullable(Float64),
            unassigned_primaries Nullable(Float64), active_shards_percent Nullable(Float64),
            pending_tasks Nullable(Float64), pending_tasks_max_wait_ms Nullable(Float64),
            in_flight_fetches Nullable(Float64), master_node_id Nullable(String), master_node Nullable(String),
            took_ms Nullable(Float64), items Nullable(Float64), nodes_failed Nullable(Float64),
            nodes_cut Nullable(Float64), indices Nullable(Float64), shards Nullable(Float64),
            primaries Nullable(Float64), docs_count Nullable(Float64), docs_deleted Nullable(Float64),
            store_bytes Nullable(Float64), data_set_bytes Nullable(Float64),
            docs_growth_per_second Nullable(Float64), store_growth_bytes_per_second Nullable(Float64),
            growth_gap Nullable(String), fielddata_bytes Nullable(Float64),
            query_cache_bytes Nullable(Float64), completion_bytes Nullable(Float64),
            segments_count Nullable(Float64), segments_memory_bytes Nullable(Float64),
            processors Nullable(Float64), memory_total_bytes Nullable(Float64),
            memory_used_bytes Nullable(Float64), heap_used_bytes Nullable(Float64),
            heap_max_bytes Nullable(Float64), threads Nullable(Float64), max_uptime_ms Nullable(Float64),
            fs_total_bytes Nullable(Float64), fs_free_bytes Nullable(Float64),
            fs_available_bytes Nullable(Float64), versions Array(String), nodes_by_role Map(String, Float64),
            shards_cut Nullable(Float64), tasks Nullable(Float64), recoveries Nullable(Float64),
            data_streams Nullable(Float64), backing_indices Nullable(Float64), details Nullable(String)
        ))') AS items
    FROM input('
        _offset UInt64, _previous_offset Int64, _appended_at DateTime64(3, \'UTC\'),
        id String, workspace String, cluster_uuid String, cluster_name Nullable(String), cluster_version Nullable(String),
        section String, slot DateTime64(3, \'UTC\'), interval_seconds UInt32, taken_at DateTime64(3, \'UTC\'),
        reporter Nullable(String), part UInt16, parts UInt16, partial Bool,
        unavailable Array(Tuple(field String, code String, reason String)),
        rows String
    ')
    WHERE NOT throwIf(empty(items), 'the record has no rows, or they are no JSON')
)
ARRAY JOIN items AS item, arrayEnumerate(items) AS place
FORMAT Avro
