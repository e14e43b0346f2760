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

/**
 * The position of a request in the order of the table: workspace, when it was accepted (microseconds since 1970), id.
 */
type StoredKey = readonly [workspace: string, acceptedAt: number, id: string];

export interface KeyOfText {
  readonly key: StoredKey;
  /** Of prompt and response. */
  readonly bytes: number;
}

/** The requests whose results are stored, of both lanes, in the order of the table. Rejects while ClickHouse is away. */
export interface StoredRequests {
  count(): Promise<number>;
  /** The next keys after this one; none at the end. */
  keysAfter(after: StoredKey | null): Promise<readonly KeyOfText[]>;
  /** The requests among them that have not expired. */
  read(keys: readonly StoredKey[]): Promise<readonly IncomingRecord<StoredRequest>[]>;
}

export interface StoredRange {
  /** Microseconds since 1970. */
  readonly until: number;
  /** Without tasks. */
  readonly callsAlone: boolean;
}

const keysAtOnce = 5_000;
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
    ${request.metric === combined ? '' : `AND metric IN ({metric:String}, '${combined}')`}
    ${where.sql}`;
  const parameters = {
    ...where.parameters,
    from: (from ?? 0) * 1_000,
    until,
    workspace: request.workspace ?? '',
    metric: request.metric,
  };
  return {
    async count() {
      const [found] = await store.query<{ rows: string }>(
        `SELECT count() AS rows FROM telltale.scoring_results WHERE ${asked}`,
        parameters,
        limits,
      );
      return Number(found?.rows);
    },
    keysAfter: (after) => readKeys(store, asked, parameters, after),
    read: (keys) => readRequests(store, keys),
  };
}

async function readKeys(
  store: Pick<ClickHouse, 'query'>,
  asked: string,
  parameters: Readonly<Record<string, unknown>>,
  after: StoredKey | null,
): Promise<readonly KeyOfText[]> {
  const behind = `AND (workspace, accepted_at, task_id) >
    ({after_workspace:String}, fromUnixTimestamp64Micro({after_at:Int64}), {after_id:UUID})`;
  const [workspace, at, id] = after ?? ['', 0, ''];
  const rows = await store.query<{ id: string; owner: string; at_us: string; bytes: string }>(
    `SELECT toString(task_id) AS id, workspace AS owner, toUnixTimestamp64Micro(accepted_at) AS at_us,
       length(prompt) + length(ifNull(response, '')) AS bytes
     FROM telltale.scoring_results WHERE ${asked} ${after === null ? '' : behind}
     ORDER BY workspace, accepted_at, task_id LIMIT ${keysAtOnce}`,
    { ...parameters, ...(after !== null && { after_workspace: workspace, after_at: at, after_id: id }) },
    limits,
  );
  return rows.map((row) => ({ key: [row.owner, Number(row.at_us), row.id], bytes: Number(row.bytes) }));
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
     FROM telltale.scoring_result_versions
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
