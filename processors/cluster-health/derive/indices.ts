import { indexFields, primaryFigures } from '../../../schemas/cluster-rows/index-columns.js';
import type { indexFigures } from '../../../schemas/cluster-rows/index-columns.js';
import type { OperationFigures } from '../../../schemas/cluster-rows/operation-figures.js';
import type { IndexSnapshot } from '../../../schemas/snapshots/index-section.js';
import type { Operations } from '../../../schemas/snapshots/operations.js';
import type { IndexMemory } from '../memory/cluster-memory.js';
import { wereSetBack } from './counters.js';
import { indexGrowth } from './growth.js';
import { intervalOf, type Gap, type Interval } from './interval.js';
import { countersOf, deriveOperations } from './operations.js';
import { fieldsOf, quotientOf, rowOf, type Row } from './row.js';

export interface IndexContext {
  readonly slot: number;
  readonly takenAt: number;
  readonly slowSearchMs: number | null;
  readonly slowIndexingMs: number | null;
}

/** An index's row with the changes since its last snapshot, and the memory for the next one. Pure. */
export function deriveIndex(
  before: IndexMemory | undefined,
  index: IndexSnapshot,
  context: IndexContext,
): { readonly row: Row; readonly memory: IndexMemory } {
  const counted = countedInterval(before, index, context.takenAt);
  const seconds = 'seconds' in counted ? counted.seconds : null;
  const total = deriveOperations(before?.total, index.total, seconds);
  const primary = deriveOperations(before?.primary, index.primary, seconds);
  const figures = {
    interval_seconds_measured: seconds,
    gap: 'gap' in counted ? counted.gap : null,
    deleted_ratio: deletedRatio(index),
    ...indexGrowth(before, index, context.takenAt),
    slow_search: above(total.query_latency_ms, context.slowSearchMs),
    slow_search_threshold_ms: context.slowSearchMs,
    slow_indexing: above(total.indexing_latency_ms, context.slowIndexingMs),
    slow_indexing_threshold_ms: context.slowIndexingMs,
  } satisfies Record<(typeof indexFigures)[number], unknown>;
  return {
    row: rowOf(
      index.total ?? {},
      total,
      fieldsOf(index, indexFields),
      figures,
      rowOfPrimaries(index.primary, primary),
    ),
    memory: {
      slot: context.slot,
      at: context.takenAt,
      uuid: index.uuid,
      health: index.health,
      incarnation: index.incarnation,
      replicas: index.replicas,
      docs: index.docs_count,
      store: index.store_bytes,
      primaryStore: index.primary_store_bytes,
      total: countersOf(index.total),
      primary: countersOf(index.primary),
    },
  };
}

/** The figures of the primaries alone; their size comes from the listing. */
const ownPrimaryFigures = primaryFigures.filter((field) => field !== 'store_bytes');

function rowOfPrimaries(read: Operations | null, derived: OperationFigures): Row {
  const figures: Readonly<Record<string, unknown>> = derived;
  const readings: Readonly<Record<string, unknown>> = read ?? {};
  return Object.fromEntries(
    ownPrimaryFigures.map((field) => [`primary_${field}`, figures[field] ?? readings[field]]),
  );
}

function countedInterval(before: IndexMemory | undefined, index: IndexSnapshot, takenAt: number): Interval {
  const gap = gapSince(before, index);
  return gap === undefined && before !== undefined
    ? intervalOf(before.at, takenAt)
    : { gap: gap ?? 'first snapshot' };
}

function gapSince(before: IndexMemory | undefined, index: IndexSnapshot): Gap | undefined {
  if (before === undefined) return 'first snapshot';
  if (before.uuid !== null && index.uuid !== null && before.uuid !== index.uuid) return 'recreated';
  if (before.total === null || index.total === null) return 'not measured';
  if (before.incarnation === null || index.incarnation === null) return 'incarnation unknown';
  if (before.incarnation !== index.incarnation) return 'shards moved or a node restarted';
  const setBack =
    wereSetBack(before.total, index.total) || wereSetBack(before.primary ?? {}, index.primary ?? {});
  return setBack ? 'counters were set back' : undefined;
}

function deletedRatio({ docs_count: docs, docs_deleted: deleted }: IndexSnapshot): number | null {
  return docs === null || deleted === null ? null : quotientOf(deleted, docs + deleted);
}

function above(figure: number | null, threshold: number | null): boolean | null {
  return figure === null || threshold === null ? null : figure > threshold;
}
