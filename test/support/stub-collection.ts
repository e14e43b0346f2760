import { collectSection, type Outcome } from '../../agent/collectors/collect.js';
import type { SearchAnswer, ShardToExplain } from '../../agent/collectors/client-port.js';
import { newClusterMemory, type ClusterMemory } from '../../agent/collectors/cluster-memory.js';
import type { Section } from '../../agent/collectors/section.js';
import { defaultCollectorSettings, type CollectorSettings } from '../../agent/collectors/settings.js';

/** Collects a section from a cluster that answers as told; what is thrown is how a call fails. */
export function collectFrom(
  section: Section,
  answer: (path: string) => SearchAnswer,
  memory: ClusterMemory = newClusterMemory(),
  explain: (shard: ShardToExplain | undefined) => SearchAnswer = () => {
    throw new Error('never asked');
  },
  settings: CollectorSettings = defaultCollectorSettings,
  now: () => number = () => 0,
): Promise<Outcome> {
  return collectSection(section, {
    client: {
      get: (path) => Promise.resolve().then(() => answer(path)),
      explain: (shard) => Promise.resolve().then(() => explain(shard)),
    },
    cluster: { uuid: 'u1', name: 'books', version: '7.1.0', major: 7 },
    settings,
    memory,
    signal: new AbortController().signal,
    now,
  });
}

export const answered = (status: number, body: unknown): SearchAnswer => ({ status, body, bytes: 2 });
