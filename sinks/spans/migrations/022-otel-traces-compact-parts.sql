-- A wide part has two files for each of some 120 streams: of the CPU of an insert of 15,000 spans, the file system took two thirds.
-- Merges of ten parts at least write a row again fewer times than the default's of five.
ALTER TABLE telltale.otel_traces MODIFY SETTING
    min_bytes_for_wide_part = 536870912, max_compress_block_size = 262144, min_parts_to_merge_at_once = 10;
