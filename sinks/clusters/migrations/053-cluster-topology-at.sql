-- When what a node's row repeats of the topology was measured: an empty list of tiers is an answer only where this is set.
ALTER TABLE telltale.cluster_nodes
    ADD COLUMN IF NOT EXISTS topology_at Nullable(DateTime64(3, 'UTC')) CODEC(DoubleDelta, ZSTD(1)) AFTER shards_count;
