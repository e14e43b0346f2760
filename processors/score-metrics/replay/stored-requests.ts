import type { ClickHouse, QueryLimits } from '../../../runtime/clickhouse/client.js';
import type { IncomingRecord } from '../../../runtime/processor.js';
import { sqlOf } from '../../../runtime/replays/scoring/condition.js';
import type {
  ScoringProgress,
  ScoringReplayRequest,
} from '../../../runtime/replays/scoring/scoring-replay-request.js';
import { combined } from '../../../schemas/metrics.js';
import { scoringRequests } from '../../../topics/scoring.js';
import type { StoredRequest } from './score-again.js';

/** A request's position in the order of the table: workspace, when accepted (microseconds since 1970), id. */
type StoredKey = readonly [workspace: string, acceptedAt: number, id: string];

export interface KeyOfText {
  readonly key: StoredKey;
  /** Of prompt and response. */
  readonly bytes: number;
}

/** The requests with stored results, of both lanes, in table order. Rejects while ClickHouse is down. */
export interface StoredRequests {
  count(): Promise<number>;
  /** Some of the next keys after this one; none at the end. */
  keysAfter(after: StoredKey | null, signal: AbortSignal): Promise<readonly KeyOfText[]>;
  /** The requests among them that have not expired. */
  read(keys: readonly StoredKey[]): Promise<readonly IncomingRecord<StoredRequest>[]>;
}

export interface StoredRange {
  /** Microseconds since 1970. */
  readonly until: number;
  /** Without tasks. */
  readonly callsAlone: boolean;
}

/** If few of the rows match, more are read at once. */
const [fewestRows, mostRows] = [10_000, 2_000_000];
const [fewestKeys, mostKeys] = [1_000, 5_000];
const table = 'telltale.scoring_result_versions';
const limits: QueryLimits = { seconds: 50, rows: 1e9, memoryBytes: 2 * 1024 ** 3 };

/** Throws REPLAY_INVALID for a condition that does not fit the table. */
export async function openStoredRequests(
  store: Pick<ClickHouse, 'query'>,
  request: ScoringReplayRequest,
  { from }: Pick<ScoringProgress, 'from'>,
  { until, callsAlone }: StoredRange,
): Promise<StoredRequests> {
  const columns = await store.query<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns WHERE database = 'telltale' AND table = 'scoring_results'`,
  );
  const where = sqlOf(request.where, new Map(columns.map(({ name, type }) => [name, type])));
  const asked = `accepted_at >= fromUnixTimestamp64Micro({from:Int64})
    AND accepted_at < fromUnixTimestamp64Micro({until:Int64})
    ${callsAlone ? "AND lane = 'realtime'" : ''}
    ${request.workspace === null ? '' : 'AND workspace = {workspace:String}'}
    ${request.metric === combined ? '' : `AND metric IN ({metric:String}, '${combined}')`}`;
  const parameters = {
    ...where.parameters,
    from: (from ?? 0) * 1_000,
    until,
    workspace: request.workspace ?? '',
    metric: request.metric,
  };
  const found = { asked, newest: `1 ${where.sql}`, parameters };
  return {
    async count() {
      const [counted] = await store.query<{ rows: string }>(
        `SELECT count() AS rows FROM (SELECT 1 ${foundSql(found)}) ${inOrder}`,
        parameters,
        limits,
      );
      return Number(counted?.rows);
    },
    keysAfter: (after, signal) => keysAfter(store, found, after, signal),
    read: (keys) => readRequests(store, keys),
  };
}

interface Found {
  /** Conditions that all versions of a result meet, or none. */
  readonly asked: string;
  /** Those of its newest version. */
  readonly newest: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * The results that match, grouped in the order of the table. For each query, the view would build a set of
 * all results that were ever scored again.
 */
const foundSql = ({ asked, newest }: Pick<Found, 'asked' | 'newest'>): string =>
  `FROM ${table} WHERE ${asked}
   GROUP BY ${orderSql} HAVING argMax(ifNull(${newest}, 0), version)`;
const inOrder = 'SETTINGS optimize_aggregation_in_order = 1';

const orderSql = 'workspace, accepted_at, task_id';
const keySql = (name: string): string =>
  `({${name}_workspace:String}, fromUnixTimestamp64Micro({${name}_at:Int64}), {${name}_id:UUID})`;
const keyParameters = (name: string, [workspace, at, id]: StoredKey): Readonly<Record<string, unknown>> => ({
  [`${name}_workspace`]: workspace,
  [`${name}_at`]: at,
  [`${name}_id`]: id,
});

async function readKeys(
  store: Pick<ClickHouse, 'query'>,
  sql: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly KeyOfText[]> {
  const rows = await store.query<{ id: string; owner: string; at_us: string; bytes: string }>(
    `SELECT toString(task_id) AS id, workspace AS owner, toUnixTimestamp64Micro(accepted_at) AS at_us, ${sql}`,
    parameters,
    limits,
  );
  return rows.map((row) => ({ key: [row.owner, Number(row.at_us), row.id], bytes: Number(row.bytes) }));
}

async function keysAfter(
  store: Pick<ClickHouse, 'query'>,
  { asked, newest, parameters }: Found,
  after: StoredKey | null,
  signal: AbortSignal,
): Promise<readonly KeyOfText[]> {
  const keys: KeyOfText[] = [];
  let from = after;
  for (let rows = fewestRows; ; rows = Math.min(4 * rows, mostRows)) {
    signal.throwIfAborted();
    const behind = from === null ? asked : `${asked} AND (${orderSql}) > ${keySql('from')}`;
    const known = { ...parameters, ...(from !== null && keyParameters('from', from)) };
    const [end] = await readKeys(
      store,
      `0 AS bytes FROM ${table} WHERE ${behind} ORDER BY ${orderSql} LIMIT 1 OFFSET ${rows - 1}`,
      known,
    );
    const upTo = end === undefined ? behind : `${behind} AND (${orderSql}) <= ${keySql('end')}`;
    const found = await readKeys(
      store,
      `any(length(prompt) + length(ifNull(response, ''))) AS bytes ${foundSql({ asked: upTo, newest })}
       ORDER BY ${orderSql} LIMIT ${mostKeys} ${inOrder}`,
      { ...known, ...(end !== undefined && keyParameters('end', end.key)) },
    );
    keys.push(...found);
    if (keys.length >= fewestKeys || end === undefined) return keys;
    from = end.key;
  }
}

interface TextRow {
  readonly id: string;
  readonly workspace: string;
  readonly key_id: string;
  readonly lane: 'task' | 'realtime';
  readonly metric: string;
  readonly prompt: string;
  readonly response: string | null;
  readonly accepted_us: string;
  readonly appended_us: string;
}

/** From the table, not the view: every version has the same texts, and the newest expires last. */
async function readRequests(
  store: Pick<ClickHouse, 'query'>,
  keys: readonly StoredKey[],
): Promise<readonly IncomingRecord<StoredRequest>[]> {
  const accepted = keys.map(([, at]) => at);
  const rows = await store.query<TextRow>(
    `SELECT toString(task_id) AS id, workspace, key_id, lane, metric, prompt, response,
       toUnixTimestamp64Micro(accepted_at) AS accepted_us, toUnixTimestamp64Micro(appended_at) AS appended_us
     FROM ${table}
     WHERE workspace IN {workspaces:Array(String)} AND task_id IN {ids:Array(UUID)}
       AND accepted_at BETWEEN fromUnixTimestamp64Micro({first:Int64}) AND fromUnixTimestamp64Micro({last:Int64})
     ORDER BY version DESC LIMIT 1 BY task_id`,
    {
      workspaces: [...new Set(keys.map(([workspace]) => workspace))],
      ids: keys.map(([, , id]) => id),
      first: Math.min(...accepted),
      last: Math.max(...accepted),
    },
    limits,
  );
  return rows.map(({ accepted_us, appended_us, ...row }) => ({
    topic: scoringRequests.name,
    partition: -1,
    offset: -1,
    key: row.id,
    appendedAt: Number(appended_us),
    value: {
      ...row,
      accepted_at: Number(accepted_us),
      deadline: null,
      reply_to: null,
      request_digest: null,
    },
  }));
}
