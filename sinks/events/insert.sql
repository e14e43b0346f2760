-- ingest.events → telltale.events: one row an event.
INSERT INTO telltale.{table:Identifier}
(
    workspace, metric, cluster, type, value, occurred_at, received_at, appended_at, key_id, source,
    _topic, _partition, _run, _offset, _previous_offset
)
SELECT
    workspace, metric, ifNull(cluster, ''), type, value, occurred_at, received_at, _appended_at, key_id, source,
    {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset
FROM input('
    _offset UInt64, _previous_offset Int64, _appended_at DateTime64(3, \'UTC\'),
    workspace String, key_id String, metric String, type String, value Float64, cluster Nullable(String),
    occurred_at DateTime64(6, \'UTC\'), received_at DateTime64(6, \'UTC\'), source String
')
FORMAT Avro
