import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../clickhouse/client.js';
import { Backoff, pause } from '../../backoff.js';
import { reasonOf, TelltaleError } from '../../errors.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import type { Logger } from '../../logging.js';
import type { WriterSchemas } from '../../registry/writer-schemas.js';
import type { Sink } from '../../sink.js';
import type { ReplayState, TakenReplay } from '../replay-log.js';
import { copyRows } from './copy-rows.js';
import { readPartitionAnew } from './read-partition-anew.js';
import {
  closeGate,
  createShadow,
  dropShadow,
  exchange,
  markRollups,
  openGate,
  rollupsOf,
  shadowOf,
  type Rollup,
} from './shadow-table.js';
import { lastBefore, livePositions, logStartOf, runsOf } from './table-plan.js';
import { tableProgressOf, type Piece, type TableProgress } from './table-progress.js';

export interface ReplayTableOptions {
  readonly access: KafkaAccess;
  readonly clickhouse: ClickHouse;
  readonly schemas: WriterSchemas;
  readonly sink: Sink;
  /** The group of the live sink. */
  readonly groupId: string;
  readonly taken: TakenReplay;
  /** So many records or rows more are done; resolves once more may come. */
  readonly did: (count: number) => Promise<void>;
  readonly rate: () => number | null;
  readonly changed: (state: ReplayState) => void;
  /** Is told what is waited for, and what is refused. */
  readonly logger: Logger;
}

/** How long the live sink may take to commit what it has inserted, before its gate is opened again. */
const gatePatienceMs = 5_000;
const gatePauseMs = 2_000;

/**
 * Makes a table anew from its topic, while its sink goes on:
 *
 * 1. A shadow of the table, and of each rollup, is filled: what the plan names is read from the topic by the mapping of
 *    today, all other rows are copied.
 * 2. The table takes no row for a moment, which its sink takes for an outage. Once nothing is in the table that the sink
 *    has not committed, the last rows are copied. What the sink has not committed it will insert again, into the shadow.
 * 3. The shadow takes the table's place, and the sink goes on with it.
 *
 * Every step can be repeated from any line: ranges and chunks are known by their tokens, and what is exchanged is marked.
 */
export async function replayTable(options: ReplayTableOptions): Promise<void> {
  const { clickhouse, sink, taken } = options;
  const rollups = await rollupsOf(clickhouse, sink.table);
  if (progressIn(taken).phase === 'new') {
    // A cancel that was killed may have left its shadow, and rows in it.
    await cancelTable(clickhouse, sink.table);
    await write(options, { phase: 'filling' });
  }
  if (progressIn(taken).phase === 'filling') {
    await createShadow(clickhouse, sink.table, rollups);
    for (const plan of progressIn(taken).plan) await readAnew(options, plan);
    await copyPieces(options);
    await orOpenAgain(options, () => closeCleanly(options, rollups));
    await write(options, { phase: 'exchanging' });
  }
  await exchangeAtLast(options, rollups);
  await write(options, { phase: 'done' }, 'done');
}

/** There is no way back from here, and the sink waits for the table: an outage of ClickHouse is waited for. */
async function exchangeAtLast(
  { clickhouse, sink, logger }: ReplayTableOptions,
  rollups: readonly Rollup[],
): Promise<void> {
  const backoff = new Backoff(100, 5_000);
  for (;;) {
    try {
      await exchange(clickhouse, sink.table, rollups);
      await dropShadow(clickhouse, sink.table, rollups);
      return;
    } catch (error) {
      const isAway = error instanceof TelltaleError && error.code === 'CLICKHOUSE_UNREACHABLE';
      if (!isAway) throw error;
      logger.warn(
        { event: 'exchange-waits', table: sink.table, reason: reasonOf(error) },
        'ClickHouse is away: the tables are exchanged once it is back',
      );
      await pause(backoff.next());
    }
  }
}

/** The gate of a table that is not exchanged is opened again, unless another command works behind it. */
async function orOpenAgain(
  { clickhouse, sink }: ReplayTableOptions,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isAnothers =
      error instanceof TelltaleError &&
      error.code === 'REPLAY_TAKEN' &&
      error.details['status'] === 'running';
    if (!isAnothers) await openGate(clickhouse, sink.table).catch(() => undefined);
    throw error;
  }
}

/** Undoes what a replay has begun; not once it exchanges tables: then it has to be finished. */
export async function cancelTable(clickhouse: ClickHouse, table: string): Promise<void> {
  const rollups = await rollupsOf(clickhouse, table);
  for (const name of [table, ...rollups.map(({ target }) => target)]) await openGate(clickhouse, name);
  await dropShadow(clickhouse, table, rollups);
}

const progressIn = (taken: TakenReplay): TableProgress => tableProgressOf(taken.state.progress);

async function write(
  { taken, rate, changed }: ReplayTableOptions,
  change: Partial<TableProgress>,
  status: ReplayState['status'] = 'running',
  records = taken.state.records,
): Promise<void> {
  const progress = JSON.stringify({ ...progressIn(taken), ...change });
  await taken.commit([], { ...taken.state, progress, status, records, rate: rate() });
  changed(taken.state);
}

async function readAnew(options: ReplayTableOptions, plan: TableProgress['plan'][number]): Promise<void> {
  const { sink, taken, access, clickhouse, schemas } = options;
  await passExpired(options, plan);
  const at = progressIn(taken).at[plan.partition];
  if (at !== undefined && at.metadata.intent === undefined && at.offset >= plan.to) return;
  await readPartitionAnew({
    sink: { ...sink, table: shadowOf(sink.table) },
    schemas,
    clickhouse,
    kafka: access,
    logger: options.logger,
    plan,
    at: at === undefined ? undefined : { ...at, metadata: withoutUndefined(at.metadata) },
    // A letter that was written before has the same id: it is the same letter.
    deadLetters: { append: (...stages) => taken.commit(stages.flat(), taken.state) },
    async commit(offset, metadata) {
      const progress = progressIn(taken);
      const before = progress.at[plan.partition]?.offset ?? plan.from;
      const records = taken.state.records + Math.max(0, offset - before);
      await write(
        options,
        { at: { ...progress.at, [plan.partition]: { offset, metadata: { ...metadata } } } },
        'running',
        records,
      );
    },
    did: options.did,
  });
}

/** What the topic has lost since the plan was made, or since the replay was left, is copied with the other rows. */
async function passExpired(
  options: ReplayTableOptions,
  { partition, run, from, to }: TableProgress['plan'][number],
): Promise<void> {
  const { access, clickhouse, sink, taken } = options;
  const { at, pieces } = progressIn(taken);
  const known = at[partition];
  const next = known?.offset ?? from;
  const start = Math.min(to, await logStartOf(access, sink, partition));
  if (start <= next) return;
  if (known?.metadata.intent !== undefined)
    throw new TelltaleError('REPLAY_IMPOSSIBLE', {
      table: sink.table,
      reason: `partition ${partition} has lost records of a range that was begun; cancel the replay, and begin anew`,
    });
  const previous = await lastBefore(clickhouse, sink, partition, run, start);
  await write(options, {
    pieces: [...pieces, { partition, run, from: next, to: start }],
    at: { ...at, [partition]: { offset: start, metadata: { run, previous } } },
  });
}

function withoutUndefined({ run, previous, intent }: TableProgress['at'][string]['metadata']) {
  return intent === undefined ? { run, previous } : { run, previous, intent };
}

async function copyPieces(options: ReplayTableOptions): Promise<void> {
  const { clickhouse, sink, taken, did } = options;
  const { pieces, copied } = progressIn(taken);
  for (const [index, piece] of pieces.entries()) {
    if (index < copied) continue;
    await copyRows(clickhouse, sink, piece, piece.from, piece.to, did);
    await write(options, { copied: index + 1 });
  }
}

/**
 * Closes the gate, and copies what has come meanwhile. First as much as is there, so that the gate is closed for a moment
 * only. Where rows stay that the sink does not commit, it is opened again: nobody could tell whether they will come again.
 */
async function closeCleanly(options: ReplayTableOptions, rollups: readonly Rollup[]): Promise<void> {
  const { clickhouse, sink } = options;
  for (;;) {
    await copyTail(options, await positionsOf(options));
    await closeGate(clickhouse, sink.table);
    const patience = performance.now() + gatePatienceMs;
    while (performance.now() < patience) {
      const live = await positionsOf(options);
      if (await isClean(options, live)) {
        await copyTail(options, live);
        await markRollups(clickhouse, rollups);
        return;
      }
      await sleep(100);
    }
    await openGate(clickhouse, sink.table);
    await sleep(gatePauseMs);
  }
}

type Positions = Awaited<ReturnType<typeof livePositions>>;

const positionsOf = ({ access, sink, groupId }: ReplayTableOptions): Promise<Positions> =>
  livePositions(access, sink, groupId);

/** Whether the table has no row that its sink has not committed. */
async function isClean({ clickhouse, sink }: ReplayTableOptions, live: Positions): Promise<boolean> {
  for (const [partition, { next, metadata }] of live) {
    if (metadata === undefined) continue;
    const [found] = await clickhouse.query<{ rows: string }>(
      `SELECT count() AS rows FROM ${sink.table}
       WHERE _partition = {partition:UInt16} AND _run = {run:String} AND _offset >= {next:UInt64}`,
      { partition, run: metadata.run, next },
    );
    if (Number(found?.rows) > 0) return false;
  }
  return true;
}

/** Copies what the sink has stored behind what was copied or read before. */
async function copyTail(options: ReplayTableOptions, live: Positions): Promise<void> {
  const { clickhouse, sink, taken } = options;
  const { plan, pieces } = progressIn(taken);
  const more: Piece[] = [];
  for (const { partition, run } of await runsOf(clickhouse, sink)) {
    const isSame = (other: { partition: number; run: string }): boolean =>
      other.partition === partition && other.run === run;
    const reached = [...pieces, ...plan].filter(isSame).map(({ to }) => to);
    const from = Math.max(0, ...reached);
    const position = live.get(partition);
    const to =
      position?.metadata?.run === run ? position.next : await endOf(clickhouse, sink.table, partition, run);
    if (to > from) more.push({ partition, run, from, to });
  }
  await write(options, { pieces: [...pieces, ...more] });
  await copyPieces(options);
}

async function endOf(clickhouse: ClickHouse, table: string, partition: number, run: string): Promise<number> {
  const [found] = await clickhouse.query<{ last: string }>(
    `SELECT max(_offset) AS last FROM ${table} WHERE _partition = {partition:UInt16} AND _run = {run:String}`,
    { partition, run },
  );
  return Number(found?.last) + 1;
}

/** The rows before what is read anew, of every life of the log: the first pieces. */
export async function piecesBefore(
  clickhouse: ClickHouse,
  sink: Sink,
  plan: TableProgress['plan'],
): Promise<readonly Piece[]> {
  const runs = await runsOf(clickhouse, sink);
  return runs.flatMap(({ partition, run }) => {
    const planned = plan.find((one) => one.partition === partition && one.run === run);
    return planned === undefined || planned.from === 0 ? [] : [{ partition, run, from: 0, to: planned.from }];
  });
}
