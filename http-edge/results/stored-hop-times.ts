import { hops } from '../../schemas/hops.js';
import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { BoundedRange } from './result-reader.js';

/** Milliseconds of each hop: one list of quantiles per hop. */
const spreads = hops.map(
  ({ hop, from, to }) =>
    `quantilesTDigest(0.5, 0.95, 0.99)(dateDiff('microsecond', ${from}, ${to}) / 1000) AS ${hop}`,
);

/**
 * How long each hop took, by lane, for requests accepted in the range. Results of replays are left out: their
 * requests were accepted long before they were scored again.
 */
export async function readHopTimes(store: Store, workspace: string, range: BoundedRange): Promise<object> {
  const rows = await store.query<StoredRow>(
    `SELECT lane, count() AS results, ${spreads.join(', ')}
     FROM telltale.scoring_result_versions
     WHERE workspace = {workspace:String} AND accepted_at >= fromUnixTimestamp64Micro({since:Int64})
       AND accepted_at < fromUnixTimestamp64Micro({until:Int64}) AND version = 0
     GROUP BY lane ORDER BY lane`,
    { workspace, since: range.from, until: range.to },
  );
  return {
    from: isoOfMillis(range.from / 1_000),
    to: isoOfMillis(range.to / 1_000),
    lanes: rows.map(({ lane, results, ...row }) => ({
      ...{ lane, results: Number(results) },
      hops: hops.map(({ hop }) => {
        const [p50, p95, p99] = row[hop] as readonly number[];
        return { hop, p50_ms: p50 ?? null, p95_ms: p95 ?? null, p99_ms: p99 ?? null };
      }),
    })),
  };
}
