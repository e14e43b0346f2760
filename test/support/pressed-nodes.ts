import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { until } from './until.js';

/** Settings that leave a node so little capacity that a test can exhaust it. */
export const littleRoom = { 'thread_pool.search.size': '1', 'thread_pool.search.queue_size': '1' } as const;

const index = '/pressed';

interface Stats {
  readonly nodes: Readonly<
    Record<
      string,
      {
        readonly jvm: {
          readonly mem: { readonly heap_used_percent: number; readonly heap_max_in_bytes: number };
        };
        readonly thread_pool: { readonly search: { readonly rejected: number } };
        readonly breakers: { readonly request: { readonly tripped: number } };
      }
    >
  >;
}

async function statsOf(node: ElasticsearchNode) {
  const { text } = await node.ask('GET', '/_nodes/stats/jvm,thread_pool,breaker');
  const [stats] = Object.values((JSON.parse(text) as Stats).nodes);
  if (stats === undefined) throw new Error(`no statistics: ${text}`);
  return stats;
}

/** Sends searches at once, more than the one thread and the queue of one accept, until some are rejected. */
export async function provokeRejectedSearches(node: ElasticsearchNode): Promise<void> {
  await until('the node has refused a search', async () => {
    await Promise.allSettled(Array.from({ length: 16 }, () => node.ask('GET', '/_search')));
    return (await statsOf(node)).thread_pool.search.rejected > 0;
  });
}

/** Sends a search that needs more memory than this node grants one, until its breaker has tripped. */
export async function provokeTrips(node: ElasticsearchNode): Promise<void> {
  const limit = (text: string | null): Promise<unknown> =>
    node.ask('PUT', '/_cluster/settings', { body: { transient: { 'indices.breaker.request.limit': text } } });
  await node.ask('PUT', `${index}?wait_for_active_shards=1`, {
    body: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { properties: { name: { type: 'keyword' } } },
    },
  });
  await node.ask('PUT', `${index}/_doc/1?refresh=true`, { body: { name: 'one' } });
  await limit('1kb');
  const search = { size: 0, aggs: { names: { terms: { field: 'name' } } } };
  await until('the breaker of requests has tripped', async () => {
    await node.ask('POST', `${index}/_search?request_cache=false`, { body: search });
    return (await statsOf(node)).breakers.request.tripped > 0;
  });
  await limit(null);
}

const chunk = Buffer.alloc(6_000_000, ' ');
/** A request size that a node still accepts. */
const announcedBytes = 90_000_001;
/** A node reports the same figures for a second. */
const figuresAreNewAfterMs = 1_100;

/** Requests that never end, whose received bytes the node keeps in its heap. */
export class UnendingRequests {
  private readonly sockets: Socket[] = [];
  private sent = announcedBytes;

  constructor(private readonly node: ElasticsearchNode) {}

  /** Fills the heap to this percentage, half of the rest at a time, because some of the heap is garbage. */
  async fillTo(percent: number): Promise<void> {
    await until(`the heap is ${percent}% full`, async () => {
      const { heap_used_percent: used, heap_max_in_bytes: heap } = (await statsOf(this.node)).jvm.mem;
      if (used >= percent) return true;
      const missing = ((percent - used) / 100) * heap;
      for (let left = missing / 2; left > 0; left -= chunk.length) await this.send();
      await sleep(figuresAreNewAfterMs);
      return false;
    });
  }

  end(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }

  private async send(): Promise<void> {
    if (this.sent + chunk.length >= announcedBytes) await this.begin();
    this.sent += chunk.length;
    const socket = this.sockets.at(-1);
    if (socket?.write(chunk) === false) await once(socket, 'drain');
  }

  private async begin(): Promise<void> {
    const socket = connect(this.node.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    this.sockets.push(socket);
    const head = ['POST /_bulk HTTP/1.1', 'Host: node', 'Content-Type: application/x-ndjson'];
    socket.write([...head, `Content-Length: ${announcedBytes}`, '', ''].join('\r\n'));
    this.sent = 0;
  }
}
