import { reasonOf } from '../../runtime/errors.js';
import type { Snapshot } from '../../schemas/snapshots.js';
import { CallFailure } from './call-failure.js';
import type { ClusterMemory } from './cluster-memory.js';
import { collectSection } from './collect.js';
import { itemsOf } from './items.js';
import type { Instant } from './section-state.js';
import type { ClusterIdentity, Collected, Section } from './section.js';
import type { WatchOptions } from './watch-options.js';

export type SnapshotEnd =
  /** `forbidden`: why everything was omitted, if the credentials may see none of it. */
  | { readonly how: 'ok' | 'partial'; readonly forbidden: string | null }
  /** Collected but lost, because there was no room for it. */
  | { readonly how: 'gap'; readonly failure: CallFailure }
  | { readonly how: 'failed'; readonly failure: CallFailure }
  | { readonly how: 'called-off' };

export interface SnapshotOf {
  readonly section: Section;
  readonly cluster: ClusterIdentity;
  readonly memory: ClusterMemory;
  /** When the collection started. */
  readonly taken: Instant;
  readonly signal: AbortSignal;
}

/** Collects a section once, and puts its items into the outbox. */
export async function takeSnapshot(wanted: SnapshotOf, options: WatchOptions): Promise<SnapshotEnd> {
  const { section, signal, taken } = wanted;
  const { client, settings, readClocks, instruments, put, logger } = options;
  const outcome = await collectSection(section, {
    ...wanted,
    client,
    settings,
    now: () => readClocks().wall,
  });
  if (signal.aborted) return { how: 'called-off' };
  if (!outcome.ok) return { how: 'failed', failure: outcome.failure };
  const { collected } = outcome;
  instruments.took(section.name, readClocks().elapsed - taken.elapsed);
  const items = collected === null ? [] : itemsIn(collected, wanted, options);
  try {
    if (items.length > 0) await put(items);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    logger.warn({ event: 'snapshot-lost', section: section.name, reason }, 'a snapshot was lost');
    return { how: 'gap', failure: new CallFailure('broken', `the snapshot could not be stored: ${reason}`) };
  }
  const forbidden = collected?.unavailable.find(({ field, code }) => field === '*' && code === 'forbidden');
  return { how: collected?.partial === true ? 'partial' : 'ok', forbidden: forbidden?.reason ?? null };
}

function itemsIn(
  collected: Collected<Section['name']>,
  { section, cluster, taken }: SnapshotOf,
  { settings, readClocks, newId, reporter }: WatchOptions,
): readonly Snapshot[] {
  const record = {
    cluster,
    section: section.name,
    intervalSeconds: section.intervalSeconds(settings),
    id: newId(),
    reporter,
    takenAt: taken.wall,
    tookMs: readClocks().elapsed - taken.elapsed,
  };
  const split = section.split && { ...section.split, most: section.split.most(settings) };
  return itemsOf(record, collected, split);
}
