import type { Section, Collected, ClusterIdentity, Collection } from './section.js';
import { failureOf, failureOfThrown, type CallFailure } from './call-failure.js';
import type { SearchAnswer, SearchClient } from './client-port.js';
import type { ClusterMemory } from './cluster-memory.js';
import type { CollectorSettings } from './settings.js';

export interface CollectOptions {
  readonly client: SearchClient;
  readonly cluster: ClusterIdentity;
  readonly settings: CollectorSettings;
  readonly memory: ClusterMemory;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export type Outcome =
  | { readonly ok: true; readonly collected: Collected<Section['name']> | null }
  | { readonly ok: false; readonly failure: CallFailure };

/** Collects one section once. Every failure is an outcome; only a bug is thrown. */
export async function collectSection(section: Section, options: CollectOptions): Promise<Outcome> {
  try {
    return { ok: true, collected: await section.collect(collectionOf(options)) };
  } catch (thrown) {
    return { ok: false, failure: failureOfThrown(thrown) };
  }
}

function collectionOf(options: CollectOptions): Collection {
  const { client, cluster, settings, memory, signal, now } = options;
  const answered = (answer: SearchAnswer): SearchAnswer => {
    // Refused credentials are refused everywhere: no section continues after that.
    const refusal = answer.status === 401 ? failureOf(answer) : undefined;
    if (refusal !== undefined) throw refusal;
    return answer;
  };
  const ask = async (path: string): Promise<SearchAnswer> => answered(await client.get(path, { signal }));
  return {
    cluster,
    settings,
    memory,
    now,
    ask,
    async read(path) {
      const answer = await ask(path);
      const failure = failureOf(answer);
      if (failure !== undefined) throw failure;
      return answer.body;
    },
    async readRows(path, onRow) {
      const answer = answered(await client.get(path, { signal, onRow }));
      const failure = failureOf(answer);
      if (failure !== undefined) throw failure;
      // A client that can't stream returns all of them at once.
      if (Array.isArray(answer.body)) answer.body.forEach(onRow);
    },
    explain: async (shard) => answered(await client.explain(shard, { signal })),
  };
}
