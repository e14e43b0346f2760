-- clusters.slow-operations → telltale.slow_operations: one row an entry; its fields are the columns.
INSERT INTO telltale.{table:Identifier}
(
    id, workspace, cluster_uuid, cluster_name, node_id, node_name, at, received_at, kind, phase, level, `index`,
    index_uuid, shard, took_ms, total_hits, total_hits_at_least, search_type, total_shards, stats, opaque_id,
    document_id, routing, trace_id, user, query, query_length, query_cut, source_bytes, source, source_cut,
    size_at_least, redactions, withheld,
    _topic, _partition, _run, _offset, _previous_offset
)
SELECT
    id, workspace, cluster_uuid, cluster_name, node_id, node_name, at, received_at, kind, phase, level, `index`,
    index_uuid, shard, took_ms, total_hits, total_hits_at_least, search_type, total_shards, stats, opaque_id,
    document_id, routing, trace_id, user, query, if(kind = 'indexing', NULL, query_length), query_cut, source_bytes,
    source, source_cut, size_at_least, redactions, withheld,
    {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset
FROM input('
    _offset UInt64, _previous_offset Int64, _appended_at DateTime64(3, \'UTC\'),
    id String, workspace String, cluster_uuid String, cluster_name Nullable(String), node_id Nullable(String),
    node_name Nullable(String), at DateTime64(6, \'UTC\'), received_at DateTime64(6, \'UTC\'), kind String,
    phase String, level String, `index` String, index_uuid Nullable(String), shard Nullable(UInt32),
    took_ms Float64, total_hits Nullable(UInt64), total_hits_at_least Bool, search_type Nullable(String),
    total_shards Nullable(UInt32), stats Array(String), opaque_id Nullable(String), document_id Nullable(String),
    routing Nullable(String), trace_id Nullable(String), user Nullable(String), query Nullable(String),
    query_length UInt32, query_cut Bool, source_bytes Nullable(UInt64), source Nullable(String), source_cut Bool,
    size_at_least Nullable(Bool), redactions UInt32, withheld Nullable(String)
')
FORMAT Avro
