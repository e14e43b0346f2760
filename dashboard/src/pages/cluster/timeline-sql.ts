import { earlierBy, inScope, timestampSql, type SqlScope } from '../../shared/sql-text.js';
import { ofCluster } from './sql.js';

/** Scores come once per minute: if two are further apart than this, one is missing. */
const longestMs = 150_000;

/** How far before the range states are read, because the first change needs the state before it. */
const beforeMs = 6 * 3_600_000;

/** All changes of the timeline, in the tables' own terms: each state that differs from the one before it. */
export function timelineSql(uuid: string, scope: SqlScope): string {
  const within = (column: string): string =>
    [...inScope(column, earlierBy(beforeMs, scope)), ofCluster(uuid)].join(' AND ');
  return `WITH states AS
(
    SELECT
        'score' AS what,
        toUnixTimestamp64Milli(at) AS ms,
        concat(ifNull(argMax(tuple(status), _offset).1, 'unknown'), ': ',
            arrayStringConcat(arraySort(argMax(\`deductions.code\`, _offset)), ', ')) AS state,
        '' AS restarted
    FROM telltale.cluster_health
    WHERE ${within('at')}
    GROUP BY at
    UNION ALL
    -- A snapshot without some of its nodes does not tell that they left.
    SELECT
        'nodes',
        toUnixTimestamp64Milli(slot),
        arrayStringConcat(arraySort(groupUniqArray(ifNull(name, node_id))), ', '),
        arrayStringConcat(arraySort(groupUniqArrayIf(ifNull(name, node_id), ifNull(restarted, false))), ', ')
    FROM telltale.cluster_nodes
    WHERE ${within('slot')} AND slot IN
    (
        SELECT slot
        FROM telltale.cluster_overview
        WHERE ${within('slot')} AND section = 'nodes'
        GROUP BY slot
        HAVING uniqExact(part) = any(parts) AND NOT max(partial) AND max(ifNull(nodes_cut, 0)) = 0
    )
    GROUP BY slot
    UNION ALL
    SELECT 'master', toUnixTimestamp64Milli(slot), ifNull(any(master_node), ''), ''
    FROM telltale.cluster_overview
    WHERE ${within('slot')} AND section = 'health' AND (isNotNull(master_node) OR ifNull(no_master, false))
    GROUP BY slot
)
SELECT fromUnixTimestamp64Milli(ms, 'UTC') AS changed_at, what, before, state AS after, restarted,
    (ms - ms_before) / 1e3 AS seconds_since_the_one_before
FROM
(
    SELECT what, ms, state, restarted,
        lagInFrame(state) OVER one_before AS before, lagInFrame(ms, 1, 0) OVER one_before AS ms_before
    FROM states
    WINDOW one_before AS (PARTITION BY what ORDER BY ms ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE ms_before > 0 AND fromUnixTimestamp64Milli(ms, 'UTC') >= ${timestampSql(scope.from)}
  AND (state != before OR restarted != '' OR (what = 'score' AND ms - ms_before > ${longestMs}))
ORDER BY ms DESC`;
}
