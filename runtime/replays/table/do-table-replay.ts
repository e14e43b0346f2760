import { ageInDays, expiryOf } from '../../clickhouse/expiry.js';
import type { ClickHouse } from '../../clickhouse/client.js';
import { TelltaleError } from '../../errors.js';
import type { Sink } from '../../sink.js';
import { replayTable, type ReplayTableOptions } from './replay-table.js';
import { rollupsOf } from './shadow-table.js';
import { piecesBefore, planTable, type PartitionPlan } from './table-plan.js';
import { tableProgressOf } from './table-progress.js';
import { askedBounds, tableBoundsOf } from './table-replay-request.js';

/** Does the rest of a replay, and plans it first if it was only asked for. Rejects with REPLAY_IMPOSSIBLE. */
export async function doTableReplay(options: ReplayTableOptions): Promise<void> {
  if (tableProgressOf(options.taken.state.progress).phase === 'asked') await plan(options);
  await replayTable(options);
}

/** A rollup that is kept for longer than its table can't be rebuilt from the table: its older rows would be lost. */
export async function checkRollups(clickhouse: ClickHouse, { table }: Sink): Promise<void> {
  const kept = (await expiryOf(clickhouse, table))?.days ?? Infinity;
  if ((await ageInDays(clickhouse)) < kept) return;
  for (const { target } of await rollupsOf(clickhouse, table)) {
    const rollupKept = (await expiryOf(clickhouse, target))?.days ?? Infinity;
    const reason = `${target} keeps ${rollupKept} days and the table ${kept}: older figures would be lost`;
    if (rollupKept > kept) throw new TelltaleError('REPLAY_IMPOSSIBLE', { table, reason });
  }
}

export const offsetsIn = (planned: readonly PartitionPlan[]): number =>
  planned.reduce((sum, { from, to }) => sum + to - from, 0);

async function plan(options: ReplayTableOptions): Promise<void> {
  const { clickhouse, sink, groupId, taken } = options;
  await checkRollups(clickhouse, sink);
  const planned = await planTable(options, sink, groupId, tableBoundsOf(askedBounds(taken.state)));
  const progress = {
    ...tableProgressOf(taken.state.progress),
    ...{ phase: 'new', plan: planned, pieces: await piecesBefore(clickhouse, sink, [...planned]) },
  };
  await taken.commit([], {
    ...taken.state,
    total: offsetsIn(planned),
    progress: JSON.stringify(progress),
  });
}
