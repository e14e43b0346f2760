import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import type { Writable } from 'node:stream';

/**
 * A stand-in for a cluster that can't be had here, by its size: answers of the form that 8.14 gives are generated and
 * streamed, row by row, gzipped where that is asked for. It is no Elasticsearch: what is tried with it is how much the agent
 * takes, not what it understands.
 */
export interface SimulatedCluster {
  readonly port: number;
  /** Bytes that went out, before compression, by path without its query. */
  readonly bytes: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface SimulatedSize {
  readonly nodes: number;
  readonly indices: number;
  readonly shards: number;
}

const nodeId = (number: number): string =>
  `node${String(number).padStart(4, '0')}aaaaaaaaaaaaaa`.slice(0, 22);
const indexName = (number: number): string => `logs-service-${number % 40}-2026.11.${number}`;
const uuid = (number: number): string => `uuid${String(number).padStart(8, '0')}aaaaaaaaaa`;

/** Every counter of an index or node, one as good as the other. */
function statistics(seed: number): object {
  const groups: Readonly<Record<string, readonly string[]>> = {
    docs: ['count', 'deleted'],
    store: ['size_in_bytes', 'total_data_set_size_in_bytes', 'reserved_in_bytes'],
    indexing: [
      'index_total',
      'index_time_in_millis',
      'index_current',
      'index_failed',
      'delete_total',
      'delete_time_in_millis',
      'delete_current',
      'noop_update_total',
      'throttle_time_in_millis',
    ],
    get: [
      'total',
      'time_in_millis',
      'exists_total',
      'exists_time_in_millis',
      'missing_total',
      'missing_time_in_millis',
      'current',
    ],
    search: [
      'open_contexts',
      'query_total',
      'query_time_in_millis',
      'query_current',
      'fetch_total',
      'fetch_time_in_millis',
      'fetch_current',
      'scroll_total',
      'scroll_time_in_millis',
      'scroll_current',
      'suggest_total',
      'suggest_time_in_millis',
      'suggest_current',
    ],
    merges: [
      'current',
      'current_docs',
      'current_size_in_bytes',
      'total',
      'total_time_in_millis',
      'total_docs',
      'total_size_in_bytes',
      'total_stopped_time_in_millis',
      'total_throttled_time_in_millis',
      'total_auto_throttle_in_bytes',
    ],
    refresh: [
      'total',
      'total_time_in_millis',
      'external_total',
      'external_total_time_in_millis',
      'listeners',
    ],
    flush: ['total', 'periodic', 'total_time_in_millis'],
    query_cache: [
      'memory_size_in_bytes',
      'total_count',
      'hit_count',
      'miss_count',
      'cache_size',
      'cache_count',
      'evictions',
    ],
    fielddata: ['memory_size_in_bytes', 'evictions'],
    segments: [
      'count',
      'memory_in_bytes',
      'terms_memory_in_bytes',
      'stored_fields_memory_in_bytes',
      'norms_memory_in_bytes',
      'points_memory_in_bytes',
      'doc_values_memory_in_bytes',
      'index_writer_memory_in_bytes',
      'version_map_memory_in_bytes',
      'fixed_bit_set_memory_in_bytes',
    ],
    translog: [
      'operations',
      'size_in_bytes',
      'uncommitted_operations',
      'uncommitted_size_in_bytes',
      'earliest_last_modified_age',
    ],
    request_cache: ['memory_size_in_bytes', 'evictions', 'hit_count', 'miss_count'],
    bulk: [
      'total_operations',
      'total_time_in_millis',
      'total_size_in_bytes',
      'avg_time_in_millis',
      'avg_size_in_bytes',
    ],
  };
  return Object.fromEntries(
    Object.entries(groups).map(([group, fields]) => [
      group,
      Object.fromEntries(fields.map((field, at) => [field, (seed * 7_919 + at * 104_729) % 1_000_000_007])),
    ]),
  );
}

function node(number: number): object {
  const pools = [
    'analyze',
    'flush',
    'force_merge',
    'generic',
    'get',
    'management',
    'refresh',
    'search',
    'search_worker',
    'snapshot',
    'system_read',
    'system_write',
    'warmer',
    'write',
  ];
  return {
    timestamp: 1_795_244_912_923,
    name: `node-${number}`,
    host: '10.0.0.1',
    version: '8.14.1',
    roles: ['data', 'ingest', 'master'],
    indices: statistics(number),
    jvm: {
      timestamp: 1_795_244_912_000,
      uptime_in_millis: 912_000,
      start_time_in_millis: 1_795_244_000_000,
      mem: { heap_used_in_bytes: 1, heap_used_percent: 50, heap_max_in_bytes: 2 },
    },
    thread_pool: Object.fromEntries(
      pools.map((pool) => [
        pool,
        { threads: 4, queue: 0, active: 1, rejected: 0, largest: 4, completed: 99 },
      ]),
    ),
    breakers: { parent: { limit_size_in_bytes: 2, estimated_size_in_bytes: 1, overhead: 1, tripped: 0 } },
    fs: {
      total: { total_in_bytes: 9, free_in_bytes: 5, available_in_bytes: 4 },
      data: [{ path: '/data', total_in_bytes: 9, free_in_bytes: 5, available_in_bytes: 4 }],
    },
  };
}

type Say = (text: string) => Promise<void>;

async function listOf(say: Say, count: number, row: (number: number) => unknown): Promise<void> {
  await say('[');
  for (let number = 0; number < count; number += 1) {
    await say(`${number === 0 ? '' : ','}${JSON.stringify(row(number))}`);
  }
  await say(']');
}

async function objectOf(
  say: Say,
  keys: readonly (readonly [string, number])[],
  of: (number: number) => unknown,
): Promise<void> {
  await say('{');
  for (const [at, [key, number]] of keys.entries()) {
    await say(`${at === 0 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(of(number))}`);
  }
  await say('}');
}

async function answer(path: string, { nodes, indices, shards }: SimulatedSize, say: Say): Promise<void> {
  const perIndex = Math.floor(shards / indices);
  const nodeKeys = Array.from({ length: nodes }, (_, number) => [nodeId(number), number] as const);
  if (path === '/') {
    await say(
      JSON.stringify({
        cluster_name: 'vast',
        cluster_uuid: 'vastvastvastvastvastva',
        tagline: 'You Know, for Search',
        version: { number: '8.14.1' },
      }),
    );
  } else if (path === '/_cluster/health') {
    await say(
      JSON.stringify({
        status: 'yellow',
        number_of_nodes: nodes,
        number_of_data_nodes: nodes,
        active_shards: shards - 3_000,
        unassigned_shards: 3_000,
      }),
    );
  } else if (path.startsWith('/_nodes')) {
    await say(`{"_nodes":{"total":${nodes},"successful":${nodes},"failed":0},"nodes":`);
    await objectOf(say, nodeKeys, node);
    await say('}');
  } else if (path === '/_cat/indices') {
    await listOf(say, indices, (number) => ({
      health: 'green',
      status: 'open',
      index: indexName(number),
      uuid: uuid(number),
      pri: '5',
      rep: '1',
      'docs.count': String(number * 1_000),
      'docs.deleted': '10',
      'store.size': String(number * 100_000),
      'pri.store.size': String(number * 50_000),
    }));
  } else if (path === '/_cat/shards') {
    await listOf(say, shards, (number) => {
      const lost = number % 17 === 0;
      return {
        i: indexName(number % indices),
        s: String(Math.floor(number / indices) % 5),
        p: number < shards / 2 ? 'p' : 'r',
        st: lost ? 'UNASSIGNED' : 'STARTED',
        d: lost ? null : '12345',
        sto: lost ? null : '123456789',
        id: lost ? null : nodeId(number % nodes),
        n: lost ? null : `node-${number % nodes}`,
        ur: lost ? 'NODE_LEFT' : null,
        ua: lost ? '2026-11-21T07:14:35.570Z' : null,
        ud: lost ? `node_left [${nodeId(1)}]` : null,
      };
    });
  } else if (path.includes('/_stats')) {
    const names = decodeURIComponent(path.split('/')[1] ?? '').split(',');
    await say('{"_shards":{"failed":0},"indices":');
    await objectOf(
      say,
      names.map((name) => [name, Number(name.split('.').at(-1))] as const),
      (number) => ({
        uuid: uuid(number),
        primaries: statistics(number),
        total: statistics(number + 1),
        shards: Object.fromEntries(
          Array.from({ length: perIndex / 2 }, (_, shard) => [
            shard,
            [true, false].map((primary) => ({
              routing: { primary, node: nodeId((number + shard) % nodes) },
            })),
          ]),
        ),
      }),
    );
    await say('}');
  } else if (path === '/_cat/master') {
    await say(JSON.stringify([{ id: nodeId(0), node: 'node-0' }]));
  } else {
    await say('{}');
  }
}

export async function simulatedCluster(size: SimulatedSize): Promise<SimulatedCluster> {
  const bytes = new Map<string, number>();
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const zipped = String(request.headers['accept-encoding']).includes('gzip');
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(zipped ? { 'content-encoding': 'gzip' } : {}),
    });
    const zip = zipped ? createGzip({ level: 1 }) : undefined;
    zip?.pipe(response);
    const out: Writable = zip ?? response;
    let pending = '';
    const flush = async (): Promise<void> => {
      const text = pending;
      pending = '';
      if (!out.write(text)) await once(out, 'drain');
    };
    await answer(path, size, async (text) => {
      bytes.set(path, (bytes.get(path) ?? 0) + Buffer.byteLength(text));
      pending += text;
      if (pending.length > 65_536) await flush();
    });
    await flush();
    out.end();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    bytes,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
