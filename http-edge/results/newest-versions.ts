const table = 'telltale.scoring_result_versions';

/**
 * Restricts a query of the table to the newest version of each result in `scope`: conditions on `workspace`
 * and `accepted_at`, which are the same for all versions of a result. For every query, the view
 * `scoring_results` would read everything that was ever scored again, of all workspaces.
 */
export const newestIn = (scope: string): string =>
  `${scope} AND if(
     version = 0,
     task_id NOT IN (SELECT task_id FROM ${table} WHERE ${scope} AND version > 0),
     (task_id, version) IN
       (SELECT task_id, max(version) FROM ${table} WHERE ${scope} AND version > 0 GROUP BY task_id))`;
