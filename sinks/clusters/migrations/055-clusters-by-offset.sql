-- From where a sink goes on is asked by partition and offset, in a table that is sorted by neither: the newest rows and those
-- of one range are in few granules, and the index leaves out the others.
ALTER TABLE telltale.cluster_overview ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.cluster_nodes ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.cluster_indices ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.cluster_shards ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.cluster_tasks ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.cluster_recoveries ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.cluster_health ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;
ALTER TABLE telltale.slow_operations ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;

-- In the background, for the parts that are there.
ALTER TABLE telltale.cluster_overview MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.cluster_nodes MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.cluster_indices MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.cluster_shards MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.cluster_tasks MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.cluster_recoveries MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.cluster_health MATERIALIZE INDEX by_offset;
ALTER TABLE telltale.slow_operations MATERIALIZE INDEX by_offset;
