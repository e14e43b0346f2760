import { inScope, statement, type SqlScope } from '../../shared/sql-text.js';

/** The two timestamps of each hop. */
const hops = [
  ['append', 'accepted_at', 'appended_at'],
  ['wait', 'appended_at', 'taken_at'],
  ['score', 'taken_at', 'scored_at'],
  ['append_result', 'scored_at', 'result_appended_at'],
  ['store', 'result_appended_at', 'inserted_at'],
  ['end_to_end', 'accepted_at', 'inserted_at'],
] as const;

/** How long each hop took, by lane: p50, p95 and p99 in milliseconds. */
export const hopTimesSql = (scope: SqlScope): string =>
  statement({
    select: [
      'lane',
      'count() AS results',
      ...hops.map(
        ([name, from, to]) =>
          `quantilesTDigest(0.5, 0.95, 0.99)(dateDiff('microsecond', ${from}, ${to}) / 1000) AS ${name}_ms`,
      ),
    ],
    from: 'telltale.scoring_result_versions',
    where: [...inScope('accepted_at', scope), 'version = 0'],
    rest: ['GROUP BY lane', 'ORDER BY lane'],
  });
