import type { Replay } from '../../../schemas/generated/replay.js';
import type { Codec } from '../../codec.js';
import { TelltaleError } from '../../errors.js';
import type { ClickHouse } from '../../clickhouse/client.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import type { Logger } from '../../logging.js';
import type { WriterSchemas } from '../../registry/writer-schemas.js';
import type { Sink } from '../../sink.js';
import { readReplays, type ReplayState, type TakenReplay } from '../replay-log.js';
import { copyRows } from './copy-rows.js';
import { openGate } from '../../clickhouse/gate.js';
import { closeCleanly, exchange } from './exchange-tables.js';
import { isExpired, rereadPartition } from './reread-partition.js';
import { checkShadow, createShadow, dropShadow, rollupsOf, shadowOf, type Rollup } from './shadow-table.js';
import { lastBefore, logStartOf } from './table-plan.js';
import { isUnderExchange, tableProgressOf, type Piece, type TableProgress } from './table-progress.js';
import { undoClosing } from './undo-replay.js';
import { whileReachable } from './while-reachable.js';

export interface ReplayTableOptions {
  readonly access: KafkaAccess;
  readonly codec: Codec<Replay>;
  readonly clickhouse: ClickHouse;
  readonly schemas: WriterSchemas;
  readonly sink: Sink;
  /** The group of the live sink. */
  readonly groupId: string;
  readonly taken: Pick<TakenReplay, 'owner' | 'state' | 'commit'>;
  /** Counts this many more records or rows as done; resolves once more may be read. */
  readonly did: (count: number) => Promise<void>;
  readonly rate: () => number | null;
  readonly changed: (state: ReplayState) => void;
  /** Logs what is waited for, and what is refused. */
  readonly logger: Logger;
}

/**
 * Rebuilds a table from its topic while its sink continues:
 *
 * 1. A shadow of the table, and of each rollup, is filled. The planned records are read from the topic with the current
 *    mapping; all other rows are copied.
 * 2. The table takes no rows for a moment, which its sink treats as an outage. Once the table has no row that the sink
 *    has not committed, the last rows are copied. The sink will insert the rest again, into the shadow.
 * 3. The shadow takes the table's place, and the sink continues with it.
 *
 * Every step can be repeated from any line: tokens identify ranges and chunks, and marks show what is to be exchanged.
 * A superseded command that wakes up does no harm: gates and shadows bear the names of their owners.
 */
export async function replayTable(options: ReplayTableOptions): Promise<void> {
  const { clickhouse, sink, taken } = options;
  const rollups = await rollupsOf(clickhouse, sink.table);
  if (progressIn(taken).phase !== 'exchanging')
    await undoClosing(clickhouse, sink.table, rollups, taken.state);
  if (progressIn(taken).phase === 'new') await begin(options, rollups);
  if (progressIn(taken).phase === 'filling') {
    const { holders, plan } = progressIn(taken);
    await checkShadow(clickhouse, sink.table, rollups, holders.at(-1) ?? '');
    for (const one of plan) await readWholly(options, one);
    await copyPieces(options);
    await orOpenAgain(options, rollups, () =>
      whileReachable(options, () => closeCleanly(closingOf(options), rollups)),
    );
    await write(options, { phase: 'exchanging' }).catch(async (error: unknown) => {
      if (error instanceof TelltaleError && error.code === 'REPLAY_TAKEN')
        await leaveNoMarks(options, rollups);
      throw error;
    });
  }
  const former = progressIn(taken).holders.filter((holder) => holder !== taken.owner);
  await write(options, { holders: [...former, taken.owner] });
  const { gate } = progressIn(taken);
  const to = { holder: taken.owner, former, gate: gate ?? taken.owner };
  // From here on the exchange must be completed; the sink waits for the table.
  await whileReachable(options, () => exchange(clickhouse, sink.table, rollups, to));
  await write(options, { phase: 'done' }, 'done');
}

/** A process that is killed here leaves a shadow whose name is known. */
async function begin(options: ReplayTableOptions, rollups: readonly Rollup[]): Promise<void> {
  const { clickhouse, sink, taken } = options;
  const { holders } = progressIn(taken);
  await write(options, { holders: [...holders, taken.owner] });
  for (const holder of holders) await dropShadow(clickhouse, sink.table, rollups, holder);
  try {
    await createShadow(clickhouse, sink, rollups, taken.owner);
    await write(options, { phase: 'filling', holders: [taken.owner] });
  } catch (error) {
    // A successor that has started meanwhile does not know about this shadow.
    await dropShadow(clickhouse, sink.table, rollups, taken.owner).catch(() => undefined);
    throw error;
  }
}

/** Opens the gate again if the exchange did not start. */
async function orOpenAgain(
  options: ReplayTableOptions,
  rollups: readonly Rollup[],
  work: () => Promise<void>,
): Promise<void> {
  const { clickhouse, sink, taken } = options;
  try {
    await work();
  } catch (error) {
    for (const name of [sink.table, ...rollups.map(({ target }) => target)])
      await whileReachable(options, () => openGate(clickhouse, name, taken.owner)).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes the marks, unless a successor is to exchange by them. It might have looked for marks before these
 * were set, and so not know about them.
 */
async function leaveNoMarks(options: ReplayTableOptions, rollups: readonly Rollup[]): Promise<void> {
  const { access, codec, clickhouse, taken } = options;
  const found = (await readReplays(access, codec)).get(taken.state.id);
  const progress = found === undefined ? undefined : tableProgressOf(found.progress);
  if (progress !== undefined && isUnderExchange(progress) && progress.gate === taken.owner) return;
  for (const { target } of rollups) await openGate(clickhouse, target, taken.owner);
}

const closingOf = (options: ReplayTableOptions): Parameters<typeof closeCleanly>[0] => ({
  ...options,
  progress: () => progressIn(options.taken),
  write: (change) => write(options, change),
  // The sink waits while the table is closed, so these rows are copied at full speed.
  copyPieces: () => copyPieces({ ...options, did: () => Promise.resolve() }),
});

const progressIn = (taken: ReplayTableOptions['taken']): TableProgress =>
  tableProgressOf(taken.state.progress);

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

/** Records that retention removes during the read are copied from the table instead. */
async function readWholly(options: ReplayTableOptions, plan: TableProgress['plan'][number]): Promise<void> {
  for (;;) {
    try {
      await waitUntilReadable(options, plan);
      return;
    } catch (error) {
      if (!isExpired(error)) throw error;
    }
  }
}

async function waitUntilReadable(
  options: ReplayTableOptions,
  plan: TableProgress['plan'][number],
): Promise<void> {
  const { sink, taken, access, clickhouse, schemas } = options;
  await passExpired(options, plan);
  const { at: reached, holders } = progressIn(taken);
  const at = reached[plan.partition];
  if (at !== undefined && at.metadata.intent === undefined && at.offset >= plan.to) return;
  await rereadPartition({
    sink: { ...sink, table: shadowOf(sink.table, holders.at(-1) ?? '') },
    schemas,
    clickhouse,
    kafka: access,
    logger: options.logger,
    plan,
    at: at === undefined ? undefined : { ...at, metadata: withoutUndefined(at.metadata) },
    // A letter that was written before has the same id, so it is the same letter.
    deadLetters: {
      append: (...stages) => {
        const letters = stages.flat();
        return taken.commit(letters, { ...taken.state, failures: taken.state.failures + letters.length });
      },
    },
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

/**
 * Records that the topic has lost since the plan, or since an interruption, are copied with the other rows.
 */
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
      reason: `partition ${partition} has lost records of a range that was started; cancel the replay, and start a new one`,
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
  const { copied, holders } = progressIn(taken);
  const into = shadowOf(sink.table, holders.at(-1) ?? '');
  for (let index = copied; ; index++) {
    const pieceNow = (): Piece | undefined => progressIn(taken).pieces[index];
    if (pieceNow() === undefined) return;
    await whileReachable(options, async () => {
      const piece = pieceNow();
      if (piece === undefined) return;
      const note = (from: number): Promise<void> =>
        write(options, { pieces: progressIn(taken).pieces.with(index, { ...piece, from }) });
      await copyRows(clickhouse, { ...sink, into }, piece, { did, note });
    });
    await write(options, { copied: index + 1 });
  }
}
