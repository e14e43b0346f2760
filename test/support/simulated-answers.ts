import { keysOf, listOf, objectOf, type Say } from './said-json.js';
import { indexName, node, nodeId, statistics, uuid } from './simulated-figures.js';

export interface SimulatedSize {
  readonly nodes: number;
  readonly indices: number;
  readonly shards: number;
}

/** `path` with its query; `asked` is the body of the call. */
type Answer = (size: SimulatedSize, say: Say, path: string, asked: string) => Promise<void>;

const recoveriesAtOnce = 300;
const dataStreams = 1_000;

/** An answer that is small for any size of the cluster. */
const short =
  (body: (size: SimulatedSize) => object): Answer =>
  (size, say) =>
    say(JSON.stringify(body(size)));

const root = short(() => ({
  cluster_name: 'vast',
  cluster_uuid: 'vastvastvastvastvastva',
  tagline: 'You Know, for Search',
  version: { number: '8.14.1' },
}));

const isLost = (shard: number): boolean => shard % 17 === 0;
/** The number of unassigned shards among this many shards. */
export const lostOf = (shards: number): number => Math.ceil(shards / 17);

const health: Answer = async ({ nodes, indices, shards }, say, path) => {
  const figures = {
    timed_out: false,
    status: 'yellow',
    number_of_nodes: nodes,
    number_of_data_nodes: nodes,
    active_shards: shards - lostOf(shards),
    unassigned_shards: lostOf(shards),
  };
  await say(JSON.stringify(figures).slice(0, -1));
  if (path.includes('level=indices')) {
    await say(',"indices":');
    await objectOf(say, keysOf(indices, indexName), () => ({ number_of_shards: 5 }));
  }
  await say('}');
};

const nodesAnswer: Answer = async ({ nodes }, say) => {
  await say(`{"_nodes":{"total":${nodes},"successful":${nodes},"failed":0},"nodes":`);
  await objectOf(say, keysOf(nodes, nodeId), node);
  await say('}');
};

const catIndices: Answer = ({ indices }, say) =>
  listOf(say, indices, (number) => ({
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

const catShards: Answer = ({ nodes, indices, shards }, say) =>
  listOf(say, shards, (number) => {
    const lost = isLost(number);
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

const indexStats: Answer = async ({ nodes, indices, shards }, say, path) => {
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
        Array.from({ length: Math.floor(shards / indices) / 2 }, (_, shard) => [
          shard,
          [true, false].map((primary) => ({
            routing: { primary, node: nodeId((number + shard) % nodes) },
          })),
        ]),
      ),
    }),
  );
  await say('}');
};

const catMaster = short(() => [{ id: nodeId(0), node: 'node-0' }]);

/** The requested shard can't be allocated to any node; each node states its reason. */
const explanation: Answer = async ({ nodes }, say, _path, asked) => {
  // Without a shard in the request, a cluster explains an unassigned one of its choice.
  const anyShard = { index: indexName(0), shard: 0, primary: false };
  const { index, shard, primary } = asked === '' ? anyShard : (JSON.parse(asked) as typeof anyShard);
  const decider = (name: string): object => ({
    decider: name,
    decision: 'NO',
    explanation: `the ${name} decider says that this node has no room for another copy of the shard, ${'as it is full '.repeat(8)}`,
  });
  const what = { index, shard, primary, current_state: 'unassigned' };
  const since = { reason: 'NODE_LEFT', at: '2026-11-21T07:14:35.570Z', last_allocation_status: 'no_attempt' };
  const head = JSON.stringify({ ...what, unassigned_info: since, can_allocate: 'no' });
  await say(`${head.slice(0, -1)},"node_allocation_decisions":`);
  await listOf(say, nodes, (number) => ({
    node_id: nodeId(number),
    node_name: `node-${number}`,
    transport_address: '10.0.0.1:9300',
    node_attributes: { 'xpack.installed': 'true', 'ml.machine_memory': '1234567890' },
    node_decision: 'no',
    deciders: ['disk_threshold', 'same_shard', 'filter'].map(decider),
  }));
  await say('}');
};

const recoveries: Answer = ({ nodes }, say) =>
  objectOf(say, keysOf(recoveriesAtOnce, indexName), (number) => ({
    shards: [
      {
        id: 0,
        type: 'PEER',
        stage: 'INDEX',
        primary: false,
        start_time_in_millis: 1_795_244_912_923,
        total_time_in_millis: 60_000,
        source: { id: nodeId(number % nodes), name: `node-${number % nodes}` },
        target: { id: nodeId((number + 1) % nodes), name: `node-${(number + 1) % nodes}` },
        index: {
          size: { total_in_bytes: 9_999_999, reused_in_bytes: 0, recovered_in_bytes: 99, percent: '1.0%' },
          files: { total: 200, reused: 0, recovered: 3, percent: '1.5%' },
        },
        translog: { recovered: 0, total: 9, percent: '0.0%' },
      },
    ],
  }));

const streams: Answer = async (_size, say) => {
  await say(`{"data_stream_count":${dataStreams},"backing_indices":${dataStreams * 4},"data_streams":`);
  await listOf(say, dataStreams, (number) => ({
    data_stream: `metrics-service-${number}-production`,
    backing_indices: 4,
    store_size_bytes: number * 1_000,
    maximum_timestamp: 1_795_244_912_923,
  }));
  await say('}');
};

/** An index template gives the thresholds to every index. */
const slowLogThresholds: Answer = ({ indices }, say) =>
  objectOf(say, keysOf(indices, indexName), () => ({
    settings: Object.fromEntries(
      ['search.slowlog.threshold.query', 'search.slowlog.threshold.fetch', 'indexing.slowlog.threshold.index']
        .flatMap((kind) => ['warn', 'info', 'debug', 'trace'].map((level) => `index.${kind}.${level}`))
        .map((name) => [name, '10s']),
    ),
  }));

const pendingTasks = short(() => ({
  tasks: Array.from({ length: 100 }, (_, number) => ({
    insert_order: number,
    priority: 'HIGH',
    source: `create-index-template [template-${number}]`,
    time_in_queue_millis: number * 10,
  })),
}));

const clusterStats = short(({ nodes, indices, shards }) => ({
  _nodes: { total: nodes, successful: nodes, failed: 0 },
  indices: {
    count: indices,
    shards: { total: shards, primaries: shards / 2 },
    docs: { count: 1e10, deleted: 1e6 },
    store: { size_in_bytes: 1e13 },
  },
  nodes: { count: { total: nodes, data: nodes, master: 3 }, versions: ['8.14.1'] },
}));

const tasks: Answer = async (_size, say) => {
  await say('{"nodes":');
  await objectOf(say, keysOf(20, nodeId), (number) => ({
    tasks: Object.fromEntries(
      Array.from({ length: 5 }, (_, task) => [
        `${nodeId(number)}:${task}`,
        {
          node: nodeId(number),
          action: 'indices:data/write/reindex',
          description: 'reindex from [logs-a] to [logs-b]',
          start_time_in_millis: 1_795_244_912_923,
          running_time_in_nanos: 1e10,
          cancellable: true,
          status: { total: 1e6, created: 5, updated: 0, deleted: 0, batches: 1, version_conflicts: 0 },
        },
      ]),
    ),
  }));
  await say('}');
};

/** The first entry whose pattern matches the path, without its query, answers. */
const answers: readonly (readonly [RegExp, Answer])[] = [
  [/^\/$/, root],
  [/^\/_cluster\/health$/, health],
  [/^\/_cluster\/pending_tasks$/, pendingTasks],
  [/^\/_cluster\/stats$/, clusterStats],
  [/^\/_cluster\/settings$/, short(() => ({ persistent: {}, transient: {} }))],
  [/^\/_cluster\/allocation\/explain$/, explanation],
  [/^\/_nodes/, nodesAnswer],
  [/^\/_cat\/indices$/, catIndices],
  [/^\/_cat\/shards$/, catShards],
  [/^\/_cat\/master$/, catMaster],
  [/^\/_recovery$/, recoveries],
  [/^\/_tasks$/, tasks],
  [/^\/_data_stream\/_stats$/, streams],
  [/^\/_all\/_settings\//, slowLogThresholds],
  [/\/_stats/, indexStats],
];

/** False for an unknown path. */
export async function answer(path: string, size: SimulatedSize, asked: string, say: Say): Promise<boolean> {
  const known = answers.find(([form]) => form.test(path.split('?', 1)[0] ?? ''));
  await known?.[1](size, say, path, asked);
  return known !== undefined;
}
