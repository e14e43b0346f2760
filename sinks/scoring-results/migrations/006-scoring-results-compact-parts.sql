-- A merge into a wide part makes two files for each of some 150 streams, which cost half as much CPU as the merge itself.
-- Merges of ten parts at least write a row again fewer times than the default's of five.
ALTER TABLE telltale.scoring_result_versions MODIFY SETTING
    min_bytes_for_wide_part = 536870912, min_parts_to_merge_at_once = 10;
