RENAME TABLE IF EXISTS telltale.scoring_results TO telltale.scoring_result_versions;

-- The newest result of each request. Nothing but the condition, so that filters reach the table and its order is used.
-- Only what replays have written is read for the two sets: the index on `version` leaves out the rest.
CREATE OR REPLACE VIEW telltale.scoring_results AS
SELECT *
FROM telltale.scoring_result_versions
WHERE if(
    version = 0,
    task_id NOT IN (SELECT task_id FROM telltale.scoring_result_versions WHERE version > 0),
    (task_id, version) IN
        (SELECT task_id, max(version) FROM telltale.scoring_result_versions WHERE version > 0 GROUP BY task_id)
);
