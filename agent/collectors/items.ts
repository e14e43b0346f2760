import {
  largestBodyBytes,
  mostParts,
  slotOf,
  type SectionName,
  type Snapshot,
} from '../../schemas/snapshots.js';
import type { ClusterIdentity, Collected } from './section.js';

/** Everything about a collection except the cluster's answer. */
export interface CollectionRecord {
  readonly cluster: ClusterIdentity;
  readonly section: SectionName;
  readonly intervalSeconds: number;
  /** A new id for each collection. */
  readonly id: string;
  readonly reporter: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  readonly tookMs: number;
}

/** A body's list in pieces of at most `most` elements and `roomBytes` of JSON; at least one piece. */
function pieces(list: readonly unknown[], most: number, roomBytes: number): readonly (readonly unknown[])[] {
  const found: unknown[][] = [[]];
  let bytes = 0;
  for (const element of list) {
    const size = Buffer.byteLength(JSON.stringify(element)) + 1;
    const current = found.at(-1);
    if (current === undefined || current.length >= most || (current.length > 0 && bytes + size > roomBytes)) {
      found.push([element]);
      bytes = size;
    } else {
      current.push(element);
      bytes += size;
    }
  }
  return found;
}

/** The items of one collection: one, or a numbered batch of them if its list is long. */
export function itemsOf(
  record: CollectionRecord,
  collected: Pick<Collected<SectionName>, 'body' | 'partial' | 'unavailable'>,
  split: { readonly list: string; readonly most: number; readonly once?: string } | undefined,
): readonly Snapshot[] {
  const { cluster, section, intervalSeconds, takenAt } = record;
  const body = collected.body as unknown as Readonly<Record<string, unknown>>;
  const list = split === undefined ? undefined : (body[split.list] as readonly unknown[]);
  const once = split?.once === undefined ? [] : body[split.once];
  const roomBytes = largestBodyBytes - 10_000 - Buffer.byteLength(JSON.stringify(once)); // 10,000: the rest of the body
  const bodies =
    split === undefined || list === undefined
      ? [body]
      : pieces(list, Math.max(split.most, Math.ceil(list.length / mostParts)), roomBytes).map(
          (piece, index) => ({
            ...body,
            ...(split.once === undefined || index === 0 ? {} : { [split.once]: [] }),
            [split.list]: piece,
          }),
        );
  return bodies.map(
    (part, index) =>
      ({
        cluster_uuid: cluster.uuid,
        cluster_name: cluster.name,
        cluster_version: cluster.version,
        section,
        slot: slotOf(takenAt, intervalSeconds),
        interval_seconds: intervalSeconds,
        collection: record.id,
        reporter: record.reporter,
        taken_at: takenAt,
        took_ms: record.tookMs,
        part: index + 1,
        parts: bodies.length,
        partial: collected.partial,
        unavailable: collected.unavailable,
        body: part,
      }) as Snapshot,
  );
}
