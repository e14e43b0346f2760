-- clusters.health → telltale.cluster_health: the history of each score, with its reasons.
INSERT INTO telltale.{table:Identifier}
(
    workspace, cluster_uuid, cluster_name, cluster_version, at, status, score, floored,
    deductions.code, deductions.category, deductions.points, deductions.points_alone, deductions.reason,
    not_measured.what, not_measured.reason,
    _topic, _partition, _run, _offset, _previous_offset
)
SELECT
    workspace, cluster_uuid, cluster_name, cluster_version, at, status, score, floored,
    deductions.code, deductions.category, deductions.points, deductions.points_alone, deductions.reason,
    not_measured.what, not_measured.reason,
    {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset
FROM input('
    _offset UInt64, _previous_offset Int64, _appended_at DateTime64(3, \'UTC\'),
    workspace String, cluster_uuid String, cluster_name Nullable(String), cluster_version Nullable(String),
    at DateTime64(3, \'UTC\'), status Nullable(String), score Nullable(UInt8), floored Bool,
    deductions Array(Tuple(code String, category String, points UInt8, points_alone UInt8, reason String)),
    not_measured Array(Tuple(what String, reason String))
')
FORMAT Avro
