-- A wide part is written through two buffers of a megabyte for each of some 150 streams: an insert of 10 MiB, and every
-- merge, took 370 MB of memory. Compact up to 64 MiB they take 46 MB and half the time; wider ones get smaller buffers.
ALTER TABLE telltale.scoring_results MODIFY SETTING min_bytes_for_wide_part = 67108864, max_compress_block_size = 262144;
