import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterWatch } from '../../agent/collectors/cluster-watch.js';
import { sections } from '../../agent/collectors/sections/sections.js';
import type { Capability } from '../../schemas/snapshots/capability-section.js';
import type { SectionName, Snapshot } from '../../schemas/snapshots.js';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { searchClient } from './search-clients.js';
import { until } from './until.js';
import { watchOptions, type Watched } from './watch-options.js';

interface Call {
  readonly call: string;
  readonly outcome: string;
  /** In the watch's time. */
  readonly at: number;
}

export interface NodeWatchOptions {
  /** One real millisecond is this many of the watch's. */
  readonly speed: number;
  readonly reprobeMs: number;
}

/** The agent's watch of a real node, on a faster clock, with its requests, log lines and snapshots. */
export interface NodeWatch {
  readonly watch: ClusterWatch;
  readonly calls: readonly Call[];
  readonly items: readonly Snapshot[];
  readonly warnings: readonly { readonly told: object; readonly text: string }[];
  readonly capability: (section: SectionName) => Capability;
  until(holds: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** `credentials` as in integration.json. */
export async function watchNode(
  node: ElasticsearchNode,
  credentials: object,
  { speed, reprobeMs }: NodeWatchOptions,
): Promise<NodeWatch> {
  const began = performance.now();
  const start = Date.now();
  const elapsed = (): number => (performance.now() - began) * speed;
  const calls: Call[] = [];
  const watched: Watched = { items: [], warnings: [] };
  const client = await searchClient(node.port, credentials, ({ call, outcome }) =>
    calls.push({ call, outcome: String(outcome), at: elapsed() }),
  );
  const watch = new ClusterWatch(
    watchOptions(
      {
        client,
        sections,
        endpoint: node.url,
        readClocks: () => ({ wall: start + Math.floor(elapsed()), elapsed: elapsed() }),
        sleep: async (ms, signal) => sleep(ms / speed, undefined, { signal }).catch(() => undefined),
        random: Math.random,
        reprobeMs,
      },
      watched,
    ),
  );
  return {
    ...watched,
    watch,
    calls,
    capability: (section) =>
      watch.status().sections.find((each) => each.section === section) ?? assert.fail(section),
    until: (holds) =>
      until(holds.toString(), holds).catch((error: unknown) =>
        assert.fail(`${String(error)}: ${JSON.stringify(watch.status())}`),
      ),
    async stop() {
      await watch.stop();
      await client.close();
    },
  };
}
