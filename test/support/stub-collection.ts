import { collectSection, type Outcome } from '../../agent/collectors/collect.js';
import type { SearchAnswer, ShardToExplain } from '../../agent/collectors/client-port.js';
import { newClusterMemory, type ClusterMemory } from '../../agent/collectors/cluster-memory.js';
import { majorOf } from '../../agent/collectors/parse/answer.js';
import type { Section } from '../../agent/collectors/section.js';
import { defaultCollectorSettings, type CollectorSettings } from '../../agent/collectors/settings.js';

interface Given {
  readonly memory: ClusterMemory;
  readonly explain: (shard: ShardToExplain | undefined) => SearchAnswer;
  readonly settings: CollectorSettings;
  readonly now: () => number;
  /** The version that the cluster's root reports. */
  readonly version: string;
}

const usual: Omit<Given, 'memory'> = {
  explain: () => {
    throw new Error('never asked');
  },
  settings: defaultCollectorSettings,
  now: () => 0,
  version: '7.1.0',
};

/** Collects a section from a cluster with the given answers; a thrown error makes the call fail. */
export function collectFrom(
  section: Section,
  answer: (path: string) => SearchAnswer,
  given: Partial<Given> = {},
): Promise<Outcome> {
  const { memory = newClusterMemory(), explain, settings, now, version } = { ...usual, ...given };
  return collectSection(section, {
    client: {
      get: (path) => Promise.resolve().then(() => answer(path)),
      explain: (shard) => Promise.resolve().then(() => explain(shard)),
    },
    cluster: { uuid: 'u1', name: 'books', version, major: majorOf(version) },
    settings,
    memory,
    signal: new AbortController().signal,
    now,
  });
}

export const answered = (status: number, body: unknown): SearchAnswer => ({ status, body, bytes: 2 });
