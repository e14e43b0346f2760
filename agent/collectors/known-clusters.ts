import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { replaceFile } from '../slowlogs/replace-file.js';
import type { ClusterIdentity } from './section.js';

/**
 * The cluster that each endpoint last led to. An endpoint that is down does not say which cluster it is.
 * Without this record, an agent that starts meanwhile could report nothing about it, not even that it is
 * down.
 */
export interface KnownClusters {
  of(url: string): ClusterIdentity | null;
  learn(url: string, cluster: ClusterIdentity): void;
}

const form = z.record(
  z.string(),
  z.object({
    uuid: z.string().regex(/^[\w-]{1,64}$/),
    name: z.string().nullable(),
    version: z.string().nullable(),
    major: z.number().nullable(),
  }),
);

/** Reads the file of an earlier run. A file that can't be read or written is built again. */
export async function openKnownClusters(path: string): Promise<KnownClusters> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  const known = new Map(Object.entries(parsed(text)));
  let written = Promise.resolve();
  return {
    of: (url) => known.get(url) ?? null,
    learn(url, cluster) {
      const before = known.get(url);
      if (isDeepStrictEqual(before, cluster)) return;
      known.set(url, cluster);
      written = written
        .then(() => replaceFile(path, JSON.stringify(Object.fromEntries(known))))
        .catch(() => undefined);
    },
  };
}

function parsed(text: string): Readonly<Record<string, ClusterIdentity>> {
  try {
    return form.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
