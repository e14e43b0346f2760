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

interface Watched {
  readonly watch: ClusterWatch;
  readonly client: OpenSearchClient;
  readonly withdraw: () => void;
}

/** The watches of all clusters that integration.json names. */
export class ClusterWatches {
  readonly #context: AgentContext;
  readonly #watched: Watched[] = [];
  readonly #claims = new ClusterClaims();

  constructor(context: AgentContext) {
    this.#context = context;
  }

  status(): readonly WatchStatus[] {
    return this.#watched.map(({ watch }) => watch.status());
  }

  /** Begins to watch the clusters; `folder` is that of integration.json. */
  async start(integrations: readonly Integration[], folder: string): Promise<void> {
    for (const integration of integrations) {
      if (integration.monitor) this.#watched.push(await this.#watch(integration, folder));
    }
  }

  async stop(): Promise<void> {
    const stopping = this.#watched.splice(0);
    this.#claims.clear();
    for (const { withdraw } of stopping) withdraw();
    await Promise.all(stopping.map(({ watch }) => watch.stop()));
    await Promise.all(stopping.map(({ client }) => client.close()));
  }

  async #watch(integration: Integration, folder: string): Promise<Watched> {
    const { logger, metrics, outlet, clock, notes, identities } = this.#context;
    const { client, note } = await openCluster(integration, folder, metrics);
    const watch = new ClusterWatch({
      client,
      settings: { ...integration.advanced, requestTimeoutMs: integration.requestTimeoutMs },
      sections,
      endpoint: integration.url,
      reporter: hostname(),
      notes: () =>
        [note, ...slowLogsNote(integration), ...notes.of(integration)].filter((one) => one !== undefined),
      put: (items) => outlet.put('snapshots', items),
      claim: (uuid) => this.#claims.claim(uuid, integration.place, performance.now()),
      logger,
      instruments: collectorInstruments(metrics),
      moment: () => ({ wall: Math.floor(clock() / 1_000), elapsed: performance.now() }),
      sleep: sleepUntilStopped,
      random: Math.random,
      newId: randomUUID,
    });
    return { watch, client, withdraw: identities.offer(integration, () => watch.whoIsIt()) };
  }
}

/** Begins as the notes on slow logs that are read: whoever finds no slow operations is told why. */
function slowLogsNote({ slowlog }: Integration): readonly string[] {
  return slowlog.enabled
    ? []
    : ['slow logs: this agent reads none, as slowlog.enabled is false in its integration.json'];
}

async function sleepUntilStopped(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
