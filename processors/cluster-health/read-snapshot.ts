import type { z } from 'zod';
import { Slice } from '../../runtime/slice.js';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { sectionBodies, sectionNames, type SectionName, type Snapshot } from '../../schemas/snapshots.js';

export type ReadSnapshot =
  { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly reason: string };

type Head = Omit<ClusterSnapshot, 'id' | 'workspace' | 'key_id' | 'received_at' | 'section' | 'body'>;

/** Reads a snapshot from its record. The edge has checked it; if it is still invalid, returns the reason. */
export async function readSnapshot(record: ClusterSnapshot): Promise<ReadSnapshot> {
  const { section, body: text } = record;
  if (!(sectionNames as readonly string[]).includes(section)) {
    return { ok: false, reason: `unknown section ${section}` };
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, reason: `the body of ${section} is not JSON` };
  }
  const body = await parseBody(section as SectionName, json);
  if (!body.success) {
    const issue = body.error.issues[0];
    return {
      ok: false,
      reason: `${section}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'not valid'}`,
    };
  }
  return { ok: true, snapshot: { ...headOf(record), section, body: body.data } as Snapshot };
}

/** Elements that are parsed in one turn of the event loop. */
const atOnce = 50;

/**
 * Like `safeParse` of the section's schema, over several turns of the event loop. The lengths of lists are
 * not checked again: the edge has done so.
 */
async function parseBody(section: SectionName, json: unknown): Promise<z.ZodSafeParseResult<unknown>> {
  const schema: z.ZodObject = sectionBodies[section];
  const fields: Readonly<Record<string, z.ZodType | undefined>> = schema.shape;
  if (!isRecord(json)) return schema.safeParse(json);
  const lists = new Map<string, unknown[]>();
  const rest = { ...json };
  const slice = new Slice();
  for (const [name, value] of Object.entries(json)) {
    const field = fields[name];
    if (field === undefined || !Array.isArray(value) || value.length <= atOnce) continue;
    const parsed: unknown[] = [];
    for (let from = 0; from < value.length; from += atOnce) {
      await slice.pause();
      const some = field.safeParse(value.slice(from, from + atOnce));
      if (!some.success) return schema.safeParse(json); // to report where
      parsed.push(...(some.data as unknown[]));
    }
    lists.set(name, parsed);
    rest[name] = [];
  }
  const body = schema.safeParse(rest);
  return body.success ? { ...body, data: { ...body.data, ...Object.fromEntries(lists) } } : body;
}

const isRecord = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

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
