-- Each entry of a slow log once. Its id is that of its place in its file, so one that two agents read, or one agent that
-- lost its folder, arrives again under the same id; `slow_operations` keeps a row for every record, which the audit counts.
CREATE VIEW IF NOT EXISTS telltale.slow_operation_entries AS
SELECT *
FROM telltale.slow_operations
ORDER BY workspace, cluster_uuid, at, id
LIMIT 1 BY workspace, cluster_uuid, at, id;
