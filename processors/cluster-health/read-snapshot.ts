import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { sectionBodies, sectionNames, type SectionName, type Snapshot } from '../../schemas/snapshots.js';

export type ReadSnapshot =
  { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly reason: string };

type Head = Omit<ClusterSnapshot, 'id' | 'workspace' | 'key_id' | 'received_at' | 'section' | 'body'>;

/** A snapshot out of its record. The edge has checked it; one that does not fit all the same says why. */
export function readSnapshot(record: ClusterSnapshot): ReadSnapshot {
  const { section, body: text } = record;
  if (!(sectionNames as readonly string[]).includes(section)) {
    return { ok: false, reason: `there is no section ${section}` };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, reason: `the body of ${section} is not JSON` };
  }
  const body = sectionBodies[section as SectionName].safeParse(json);
  if (!body.success) {
    const issue = body.error.issues[0];
    return {
      ok: false,
      reason: `${section}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'not valid'}`,
    };
  }
  return { ok: true, snapshot: { ...headOf(record), section, body: body.data } as Snapshot };
}

function headOf(record: ClusterSnapshot): Head {
  return {
    cluster_uuid: record.cluster_uuid,
    cluster_name: record.cluster_name,
    cluster_version: record.cluster_version,
    slot: record.slot,
    interval_seconds: record.interval_seconds,
    collection: record.collection,
    reporter: record.reporter,
    taken_at: record.taken_at,
    took_ms: record.took_ms,
    part: record.part,
    parts: record.parts,
    partial: record.partial,
    unavailable: record.unavailable,
  };
}
