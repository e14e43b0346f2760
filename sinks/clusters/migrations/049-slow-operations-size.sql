-- Nodes cut the documents that they log: what is left of one tells how large it was at least.
ALTER TABLE telltale.slow_operations
    ADD COLUMN IF NOT EXISTS size_at_least Nullable(Bool) CODEC(ZSTD(1)) AFTER source_cut;
