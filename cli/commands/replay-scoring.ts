import type { Command } from 'commander';
import { openStoredRequests } from '../../processors/score-metrics/replay/stored-requests.js';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { TelltaleError } from '../../runtime/errors.js';
import { requestScoringReplay, isUnderWay } from '../../runtime/replays/request-replay.js';
import { readReplays } from '../../runtime/replays/replay-log.js';
import { isOfTopic, offsetsIn, planRequests } from '../../runtime/replays/scoring/plan-requests.js';
import {
  boundsOf,
  readScoringRequest,
  type ScoringReplayRequest,
} from '../../runtime/replays/scoring/scoring-replay-request.js';
import { scoringResultsSink } from '../../sinks/scoring-results/index.js';
import { followReplay } from '../replays/follow.js';
import { rateOf } from '../replays/options.js';
import { secondsAsLast } from '../replays/seconds-as-last.js';
import { openReplaySession, type ReplaySession } from '../replays/session.js';
import { clickhouseFromEnvironment } from './migrate.js';

interface Given {
  readonly metric: string;
  readonly from?: string;
  readonly to?: string;
  readonly workspace?: string;
  readonly where: readonly string[];
  readonly rate?: string;
  readonly status?: boolean;
  readonly dryRun?: boolean;
  readonly follow: boolean;
}

/** `telltale replay scoring`: the processors score the texts of scoring.requests again. */
export function addReplayScoring(command: Command): void {
  command
    .command('scoring')
    .description(
      'score tasks again with the current scorers, in the processors; each result is a new version of its row',
    )
    .requiredOption(
      '--metric <metric>',
      'tasks of this metric and tasks of all metrics; `all` for every task',
    )
    .option(
      '--from <time>',
      'tasks from then on, read from the stored results if the topic starts later; by default all that the topic still has',
    )
    .option('--to <time>', 'tasks that Kafka stored before then; by default up to now')
    .option('--workspace <workspace>', 'tasks of this workspace; by default of all workspaces')
    .option(
      '--where <condition>',
      'tasks and calls whose stored result matches, as in `prompt_toxicity >= 0.8`; if repeated, all must match',
      (condition: string, others: readonly string[]) => [...others, condition],
      [],
    )
    .option('--status', 'also give the tasks their new results, for clients that ask for them')
    .option('--rate <records>', 'maximum records per second')
    .option('--no-follow', 'start it, and do not wait for its end')
    .option('--dry-run', 'show what would be read and written, and do nothing')
    .action(async (given: Given) => {
      const request = readScoringRequest({
        metric: given.metric,
        workspace: given.workspace ?? null,
        from: given.from ?? null,
        to: given.to ?? null,
        status: given.status ?? false,
        where: given.where,
      });
      const { from: first, to: last } = boundsOf(request, Date.now());
      if (first !== null && first >= (last ?? Date.now()))
        throw new TelltaleError('REPLAY_INVALID', { reason: '--from is not before --to' });
      const session = await openReplaySession(process.env);
      if (given.dryRun === true) await tryOut(session, request);
      else await replay(session, request, given);
    });
}

async function replay(session: ReplaySession, request: ScoringReplayRequest, given: Given): Promise<void> {
  const asked = await requestScoringReplay(session, request, rateOf(given.rate) ?? null);
  if (!given.follow) {
    console.log(JSON.stringify({ id: asked.id, status: asked.status }));
    return;
  }
  const ended = await followReplay(session, asked);
  if (ended === undefined)
    console.error(
      `The replay continues: \`telltale replays show ${asked.id}\`, or \`replays pause ${asked.id}\`.`,
    );
  else if (ended.status !== 'done' && !isUnderWay(ended)) process.exitCode = 1;
}

async function tryOut({ access, codec }: ReplaySession, request: ScoringReplayRequest): Promise<void> {
  const replays = await readReplays(access, codec);
  const clickhouse = clickhouseFromEnvironment();
  try {
    const { most, ...reads } = await readsOf(access, clickhouse, request);
    const bytesPerRow = await bytesOfRow(clickhouse);
    console.log(
      JSON.stringify({
        dry_run: true,
        ...reads,
        writes: ['scoring.results', ...(request.status ? ['scoring.task-status'] : [])],
        table: scoringResultsSink.table,
        disk_bytes: bytesPerRow === null ? null : Math.ceil(most * bytesPerRow),
        seconds: secondsAsLast(replays, 'scoring', most),
      }),
    );
  } finally {
    await clickhouse.close();
  }
}

/** What a processor would read, and the maximum number of results it would write. */
async function readsOf(
  access: ReplaySession['access'],
  clickhouse: ClickHouse,
  request: ScoringReplayRequest,
) {
  const bounds = boundsOf(request, Date.now());
  const until = (bounds.to ?? Date.now()) * 1_000;
  const countStored = async (callsAlone: boolean): Promise<number> =>
    (await openStoredRequests(clickhouse, request, bounds, { until, callsAlone })).count();
  if (await isOfTopic(access, request, bounds)) {
    const plan = await planRequests(access, bounds);
    // An upper bound: other metrics, other workspaces and transaction markers also have offsets here.
    const offsets = offsetsIn(plan);
    const calls = await countStored(true);
    return { topic: 'scoring.requests', offsets, partitions: plan, calls, most: offsets + calls };
  }
  const rows = await countStored(false);
  return { stored: 'telltale.scoring_results', rows, most: rows };
}

/** The average size of a row on disk, in bytes; null while the table is empty. */
async function bytesOfRow(clickhouse: ClickHouse): Promise<number | null> {
  const [size] = await clickhouse.query<{ rows: string; bytes: string }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND concat(database, '.', table) = {table:String}`,
    { table: scoringResultsSink.table },
  );
  return Number(size?.rows) === 0 ? null : Number(size?.bytes) / Number(size?.rows);
}
