import type { Replay } from '../../../schemas/generated/replay.js';
import type { ClickHouse } from '../../clickhouse/client.js';
import { openAllGates, openGate } from '../../clickhouse/gate.js';
import { dropShadow, holdersOf, rollupsOf, type Rollup } from './shadow-table.js';
import { tableProgressOf } from './table-progress.js';

/** Undoes what a replay has done so far. Once it exchanges tables, it has to be finished instead. */
export async function undoReplay(
  clickhouse: ClickHouse,
  table: string,
  replay: Pick<Replay, 'progress' | 'status'>,
): Promise<void> {
  const rollups = await rollupsOf(clickhouse, table);
  await undoClosing(clickhouse, table, rollups, replay);
  if (replay.status !== 'cancelled') return;
  for (const holder of tableProgressOf(replay.progress).holders)
    await dropShadow(clickhouse, table, rollups, holder);
}

/** Removes what ended replays might have left: a command can be killed after it has lost its replay. */
export async function sweepTable(clickhouse: ClickHouse, table: string): Promise<void> {
  const rollups = await rollupsOf(clickhouse, table);
  for (const name of [table, ...rollups.map(({ target }) => target)]) await openAllGates(clickhouse, name);
  for (const holder of await holdersOf(clickhouse, table, rollups))
    await dropShadow(clickhouse, table, rollups, holder);
}

/** Opens the gates of a command that was killed before the exchange. */
export async function undoClosing(
  clickhouse: ClickHouse,
  table: string,
  rollups: readonly Rollup[],
  { progress }: Pick<Replay, 'progress'>,
): Promise<void> {
  const { gate } = tableProgressOf(progress);
  if (gate === null) return;
  for (const name of [table, ...rollups.map(({ target }) => target)]) await openGate(clickhouse, name, gate);
}
