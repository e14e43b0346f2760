const table = 'telltale.scoring_result_versions';

/**
 * Holds a query of the table to the newest version of each result in its scope, conditions on `workspace` and
 * `accepted_at`: all versions of a result have the same. The view `scoring_results` would read what was ever scored
 * again, of all workspaces, for every query.
 */
export const newestIn = (scope: string): string =>
  `${scope} AND if(
     version = 0,
     task_id NOT IN (SELECT task_id FROM ${table} WHERE ${scope} AND version > 0),
     (task_id, version) IN
       (SELECT task_id, max(version) FROM ${table} WHERE ${scope} AND version > 0 GROUP BY task_id))`;
