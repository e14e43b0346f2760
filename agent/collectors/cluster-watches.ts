import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentContext } from '../part.js';
import type { OpenSearchClient } from '../integration/client/search-client.js';
import type { Integration } from '../integration/config/integrations.js';
import { openCluster } from '../integration/open-cluster.js';
import { ClusterClaims } from './cluster-claims.js';
import { ClusterWatch } from './cluster-watch.js';
import type { WatchStatus } from './watch-state.js';
import { collectorInstruments } from './instruments.js';
import { sections } from './sections/sections.js';
import { slowLogNotes, type NotedWatch } from './slow-log-notes.js';

interface Watched {
  readonly integration: Integration;
  readonly watch: ClusterWatch;
  readonly client: OpenSearchClient;
  readonly withdraw: () => void;
}

/** The watches of all clusters that integration.json names. */
export class ClusterWatches {
  readonly #context: AgentContext;
  readonly #watched: Watched[] = [];
  /** Those that are watched, or will be in a moment. */
  #entries: readonly Integration[] = [];
  readonly #claims = new ClusterClaims();

  constructor(context: AgentContext) {
    this.#context = context;
  }

  status(): readonly WatchStatus[] {
    return this.#watched.map(({ watch }) => watch.status());
  }

  /** Begins to watch the clusters; `folder` is that of integration.json. */
  async start(integrations: readonly Integration[], folder: string): Promise<void> {
    this.#entries = integrations.filter(({ monitor }) => monitor);
    for (const integration of this.#entries) this.#watched.push(await this.#watch(integration, folder));
  }

  async stop(): Promise<void> {
    const stopping = this.#watched.splice(0);
    this.#claims.clear();
    for (const { withdraw } of stopping) withdraw();
    await Promise.all(stopping.map(({ watch }) => watch.stop()));
    await Promise.all(stopping.map(({ client }) => client.close()));
  }

  async #watch(integration: Integration, folder: string): Promise<Watched> {
    const { logger, metrics, outlet, clock, identities } = this.#context;
    const { client, note } = await openCluster(integration, folder, metrics);
    const watch = new ClusterWatch({
      client,
      settings: { ...integration.advanced, requestTimeoutMs: integration.requestTimeoutMs },
      sections,
      endpoint: integration.url,
      reporter: hostname(),
      notes: () => [...(note === undefined ? [] : [note]), ...this.#slowLogNotes(integration)],
      put: (items) => outlet.put('snapshots', items),
      claim: (uuid) => this.#claims.claim(uuid, integration.place, performance.now()),
      logger,
      instruments: collectorInstruments(metrics),
      moment: () => ({ wall: Math.floor(clock() / 1_000), elapsed: performance.now() }),
      sleep: sleepUntilStopped,
      random: Math.random,
      newId: randomUUID,
    });
    return { integration, watch, client, withdraw: identities.offer(integration, () => watch.whoIsIt()) };
  }

  #slowLogNotes(integration: Integration): readonly string[] {
    const all = new Map(this.#entries.map((entry) => [entry, this.#noted(entry)]));
    return slowLogNotes(all.get(integration) ?? this.#noted(integration), [...all.values()]);
  }

  #noted(integration: Integration): NotedWatch {
    const watch = this.#watched.find((watched) => watched.integration === integration)?.watch;
    return {
      readsLogs: integration.slowlog.enabled,
      met: watch?.cluster?.uuid ?? null,
      isStarting: watch?.isStarting ?? true,
      said: this.#context.notes.of(integration),
    };
  }
}

async function sleepUntilStopped(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
