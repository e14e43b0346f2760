import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentContext } from '../component.js';
import type { OpenSearchClient } from '../integration/client/search-client.js';
import type { Integration } from '../integration/config/integrations.js';
import { readHotThreads, type HotThreads } from '../integration/connection-test/hot-threads.js';
import { openCluster } from '../integration/open-cluster.js';
import { ClusterLeases } from './cluster-leases.js';
import { ClusterWatch } from './cluster-watch.js';
import { collectorInstruments } from './instruments.js';
import type { KnownClusters } from './known-clusters.js';
import type { ClusterIdentity } from './section.js';
import type { WatchStatus } from './watch-state.js';
import { sections } from './sections/sections.js';
import { slowLogDiagnostics, type WatchedEntry } from './slow-log-diagnostics.js';

interface Watched {
  readonly integration: Integration;
  readonly watch: ClusterWatch;
  readonly client: OpenSearchClient;
  readonly withdraw: () => void;
}

/** The watches of all clusters that integration.json names. */
export class ClusterWatches {
  private readonly context: AgentContext;
  private readonly watched: Watched[] = [];
  /** The clusters that are watched, or will be shortly. */
  private entries: readonly Integration[] = [];
  private readonly leases = new ClusterLeases();

  constructor(
    context: AgentContext,
    private readonly known: KnownClusters,
  ) {
    this.context = context;
  }

  status(): readonly WatchStatus[] {
    return this.watched.map(({ watch }) => watch.status());
  }

  /**
   * Asks the cluster at once, even while its watch collects or sleeps, because a user waits for the answer.
   * Undefined if no watch has this cluster.
   */
  async hotThreads(clusterUuid: string, signal: AbortSignal): Promise<HotThreads | undefined> {
    const found = this.watched.filter(({ watch }) => watch.cluster?.uuid === clusterUuid);
    const best = found.find(({ watch }) => watch.status().state === 'watching') ?? found[0];
    if (best === undefined) return undefined;
    return readHotThreads({ ...best, diagnostic: undefined }, signal, clusterUuid);
  }

  /** Starts watching the clusters; `folder` is that of integration.json. */
  async start(integrations: readonly Integration[], folder: string): Promise<void> {
    this.entries = integrations.filter(({ monitor }) => monitor);
    for (const integration of this.entries) this.watched.push(await this.watch(integration, folder));
  }

  async stop(): Promise<void> {
    const stopping = this.watched.splice(0);
    this.leases.clear();
    for (const { withdraw } of stopping) withdraw();
    await Promise.all(stopping.map(({ watch }) => watch.stop()));
    await Promise.all(stopping.map(({ client }) => client.close()));
  }

  private async watch(integration: Integration, folder: string): Promise<Watched> {
    const { logger, metrics, outbox, clock, identities } = this.context;
    const { client, diagnostic } = await openCluster(integration, folder, metrics);
    const watch = new ClusterWatch({
      client,
      settings: { ...integration.advanced, requestTimeoutMs: integration.requestTimeoutMs },
      sections,
      endpoint: integration.url,
      reporter: hostname(),
      diagnostics: () => [
        ...[diagnostic()].filter((text) => text !== undefined),
        ...this.slowLogDiagnostics(integration),
      ],
      put: (items) => outbox.put('snapshots', items),
      known: this.knownOf(integration),
      met: (cluster) => this.known.learn(integration.url, cluster),
      claim: (uuid) => this.leases.claim(uuid, integration.index, performance.now()),
      isOthers: (uuid) => this.leases.isOthers(uuid, integration.index, performance.now()),
      logger,
      instruments: collectorInstruments(metrics),
      readClocks: () => ({ wall: Math.floor(clock() / 1_000), elapsed: performance.now() }),
      sleep: sleepUntilStopped,
      random: Math.random,
      newId: randomUUID,
    });
    return { integration, watch, client, withdraw: identities.offer(integration, () => watch.whoIsIt()) };
  }

  /** Null if two entries lead to one cluster: the one that can ask the cluster reports it. */
  private knownOf({ url, index }: Integration): ClusterIdentity | null {
    const known = this.known.of(url);
    const others = this.entries.filter((entry) => entry.index !== index);
    return others.some((entry) => this.known.of(entry.url)?.uuid === known?.uuid) ? null : known;
  }

  private slowLogDiagnostics(integration: Integration): readonly string[] {
    const all = new Map(this.entries.map((entry) => [entry, this.entryOf(entry)]));
    return slowLogDiagnostics(all.get(integration) ?? this.entryOf(integration), [...all.values()]);
  }

  private entryOf(integration: Integration): WatchedEntry {
    const watch = this.watched.find((watched) => watched.integration === integration)?.watch;
    return {
      readsLogs: integration.slowlog.enabled,
      met: watch?.cluster?.uuid ?? null,
      isStarting: watch?.isStarting ?? true,
      said: this.context.diagnostics.of(integration),
    };
  }
}

async function sleepUntilStopped(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
