-- A search by an attribute reads the maps of every block that may have it, and spent half of its time on decompression:
-- LZ4 is read several times as fast, and smaller blocks hold less that is not asked for. What is random in an attribute
-- takes twice the space; a span then takes a fifth more.
ALTER TABLE telltale.otel_traces
    MODIFY COLUMN SpanAttributes Map(LowCardinality(String), String) CODEC(LZ4),
    MODIFY COLUMN ResourceAttributes Map(LowCardinality(String), String) CODEC(LZ4),
    MODIFY SETTING max_compress_block_size = 65536;
