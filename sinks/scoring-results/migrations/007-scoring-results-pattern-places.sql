ALTER TABLE telltale.scoring_result_versions ADD COLUMN IF NOT EXISTS pattern_places Map(LowCardinality(String), Tuple(start UInt32, end UInt32)) COMMENT 'Where the pattern of prompt_has_patterns or response_has_patterns is first, by prompt or response: code points, the end not included; empty in rows of before this column' AFTER scorer_versions;

-- A view has the columns of its making.
CREATE OR REPLACE VIEW telltale.scoring_results AS
SELECT *
FROM telltale.scoring_result_versions
WHERE if(
    version = 0,
    task_id NOT IN (SELECT task_id FROM telltale.scoring_result_versions WHERE version > 0),
    (task_id, version) IN
        (SELECT task_id, max(version) FROM telltale.scoring_result_versions WHERE version > 0 GROUP BY task_id)
);
