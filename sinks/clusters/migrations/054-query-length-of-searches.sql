-- An indexing operation has no query: its length is null, and not that of an empty one. Rows of before keep their 0.
ALTER TABLE telltale.slow_operations MODIFY COLUMN query_length Nullable(UInt32) CODEC(ZSTD(1));

-- A view has the columns of its making.
CREATE OR REPLACE VIEW telltale.slow_operation_entries AS
SELECT *
FROM telltale.slow_operations
ORDER BY workspace, cluster_uuid, at, id
LIMIT 1 BY workspace, cluster_uuid, at, id;
