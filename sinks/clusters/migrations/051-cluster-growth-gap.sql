-- Why there is no growth: sums over shards can be compared only where they are made over the same ones.
ALTER TABLE telltale.cluster_overview
    ADD COLUMN IF NOT EXISTS growth_gap LowCardinality(Nullable(String)) AFTER store_growth_bytes_per_second;

ALTER TABLE telltale.cluster_indices
    ADD COLUMN IF NOT EXISTS growth_gap LowCardinality(Nullable(String)) AFTER primary_store_growth_bytes_per_second;
