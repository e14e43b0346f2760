-- A request has one row, and one more for each replay of it: a new version. Kept in one table, in the order of their log;
-- telltale.scoring_results shows the newest of each.
ALTER TABLE telltale.scoring_results ADD COLUMN IF NOT EXISTS version UInt64 COMMENT '0 for the first result; for one of a replay, when the replay was asked for, microseconds since 1970' CODEC(Delta, ZSTD(1)) AFTER result_appended_at;
ALTER TABLE telltale.scoring_results ADD INDEX IF NOT EXISTS version_minmax version TYPE minmax GRANULARITY 1;
