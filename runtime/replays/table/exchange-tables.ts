import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../clickhouse/client.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import type { Sink } from '../../sink.js';
import type { TakenReplay } from '../replay-log.js';
import { closeGate, isMarked, mark, openGate } from '../../clickhouse/gate.js';
import { dropShadow, dropViews, shadowOf, takeShadow, type Rollup } from './shadow-table.js';
import { livePositions, runsOf } from './table-plan.js';
import type { Piece, TableProgress } from './table-progress.js';

/** How long the live sink may take to commit what it has inserted, before its gate is opened again. */
const gatePatienceMs = 5_000;
const gatePauseMs = 2_000;

export interface ClosingOptions {
  readonly access: KafkaAccess;
  readonly clickhouse: ClickHouse;
  readonly sink: Sink;
  readonly groupId: string;
  readonly taken: Pick<TakenReplay, 'owner'>;
  readonly progress: () => TableProgress;
  readonly write: (change: Partial<TableProgress>) => Promise<void>;
  readonly copyPieces: () => Promise<void>;
}

/**
 * Copies the rows that are there, closes the gate, and copies the rows stored meanwhile: so the gate is
 * closed only briefly. If rows remain that the sink does not commit, the gate is opened again, because it is
 * unknown whether the sink will insert them again.
 */
export async function closeCleanly(options: ClosingOptions, rollups: readonly Rollup[]): Promise<void> {
  const { clickhouse, sink, taken, write } = options;
  for (;;) {
    await copyTail(options, await positionsOf(options));
    // A process that takes over the replay has to know which gate to open.
    await write({ gate: taken.owner });
    await closeGate(clickhouse, sink.table, taken.owner);
    const patience = performance.now() + gatePatienceMs;
    while (performance.now() < patience) {
      const live = await positionsOf(options);
      if (await isClean(options, live)) {
        await copyTail(options, live);
        for (const { target } of rollups) await mark(clickhouse, target, taken.owner);
        return;
      }
      await sleep(100);
    }
    await openGate(clickhouse, sink.table, taken.owner);
    await sleep(gatePauseMs);
  }
}

/**
 * Exchanges each rollup with its copy, and then the table, whose gate is closed, with its shadow. A view
 * refers to tables by name, so the table's views continue with the new table. Safe to repeat from any line: a
 * constraint marks what has not been exchanged yet, and only the holder of the shadow can exchange it.
 * Otherwise two processes could undo each other's work.
 */
export async function exchange(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
  {
    holder,
    former,
    gate,
  }: { readonly holder: string; readonly former: readonly string[]; readonly gate: string },
): Promise<void> {
  // The table goes last: its gate goes with it, and the new table accepts rows.
  const names = [...rollups.map(({ target }) => target), table];
  for (const other of former) {
    await dropViews(clickhouse, rollups, other);
    for (const name of names) await takeShadow(clickhouse, name, other, holder);
  }
  for (const name of names)
    if (await isMarked(clickhouse, name, gate))
      await clickhouse.command(`EXCHANGE TABLES ${name} AND ${shadowOf(name, holder)}`);
  await dropShadow(clickhouse, table, rollups, holder);
}

type Positions = Awaited<ReturnType<typeof livePositions>>;

const positionsOf = ({ access, sink, groupId }: ClosingOptions): Promise<Positions> =>
  livePositions(access, sink, groupId);

/** Whether the table has no row that its sink has not committed. */
async function isClean({ clickhouse, sink }: ClosingOptions, live: Positions): Promise<boolean> {
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

/** Copies the rows that the sink has stored after those copied or read so far. */
async function copyTail(options: ClosingOptions, live: Positions): Promise<void> {
  const { clickhouse, sink, progress, write, copyPieces } = options;
  const { plan, pieces } = progress();
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
  await write({ pieces: [...pieces, ...more] });
  await copyPieces();
}

async function endOf(clickhouse: ClickHouse, table: string, partition: number, run: string): Promise<number> {
  const [found] = await clickhouse.query<{ last: string }>(
    `SELECT max(_offset) AS last FROM ${table} WHERE _partition = {partition:UInt16} AND _run = {run:String}`,
    { partition, run },
  );
  return Number(found?.last) + 1;
}
