import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchedIndex, type WatchedCluster } from './watched-clusters.js';

/** The answers of a cluster at one time, about its first node and one index. */
export interface ClusterAnswers {
  /** When the last of them had arrived, milliseconds since 1970. */
  readonly answeredAt: number;
  readonly health: unknown;
  readonly master: unknown;
  readonly nodeId: string;
  /** From `_nodes/stats`. */
  readonly node: unknown;
  /** From `_nodes`. */
  readonly about: unknown;
  /** From `_stats`, for the index. */
  readonly index: unknown;
  /** From `_cat/indices`, for the index. */
  readonly listed: unknown;
  /** From `_cat/indices`: the number of indices covered by privileges on all indices, `*`. */
  readonly indices: number;
  /** From `_cat/shards`, for the only shard of the index. */
  readonly shard: unknown;
  /** From `_cat/shards`. */
  readonly shards: readonly unknown[];
  readonly stats: unknown;
  /** From `_cluster/settings`, flat and with defaults. */
  readonly settings: unknown;
  /** From `_tasks`: the tasks that copy, change or delete documents, with their ids. */
  readonly tasks: readonly (object & { readonly id: string })[];
  /** From `_cluster/pending_tasks`, if requested: an idle cluster has none. */
  readonly pending?: readonly unknown[];
  /** From `_recovery`: the running recoveries. */
  readonly recoveries: unknown;
  /** From `_cluster/allocation/explain`, if a shard is unassigned. */
  readonly explanation: unknown;
}

const columnsOfShards =
  'index,shard,prirep,state,docs,store,id,node,unassigned.reason,unassigned.at,unassigned.details';
const columnsOfIndices = 'health,status,index,uuid,pri,rep,docs.count,docs.deleted,store.size,pri.store.size';

/** Elasticsearch's own index, visible only to users who may read restricted indices. */
const isRestricted = /^\.security/;

export async function answersOf(
  { ask }: WatchedCluster,
  index: string = watchedIndex,
): Promise<ClusterAnswers> {
  const rows = 'format=json&bytes=b';
  const shards = (await ask('GET', `/_cat/shards?${rows}&h=${columnsOfShards}`)) as readonly unknown[];
  const nodes = at(await ask('GET', '/_nodes/stats'), 'nodes') as object;
  const [[nodeId, node] = assert.fail('there is a node')] = Object.entries(nodes).filter(
    ([, each]) => at(each, 'name') === 'n1',
  );
  const tasks = at(await ask('GET', '/_tasks?actions=*reindex,*byquery&detailed=true'), 'nodes') as object;
  const isUnassigned = shards.some((shard) => at(shard, 'state') === 'UNASSIGNED');
  const answers: Omit<ClusterAnswers, 'answeredAt'> = {
    shards,
    shard: shards.find((shard) => at(shard, 'index') === index),
    health: await ask('GET', '/_cluster/health'),
    master: first(await ask('GET', '/_cat/master?format=json')),
    nodeId,
    node,
    about: at(await ask('GET', '/_nodes'), 'nodes', nodeId),
    index: at(await ask('GET', '/_stats'), 'indices', index),
    indices: (
      (await ask('GET', '/_cat/indices?format=json&expand_wildcards=all&h=index')) as readonly unknown[]
    ).filter((row) => !isRestricted.test(String(at(row, 'index')))).length,
    listed: first(await ask('GET', `/_cat/indices/${index}?${rows}&h=${columnsOfIndices}`)),
    stats: await ask('GET', '/_cluster/stats'),
    settings: await ask('GET', '/_cluster/settings?include_defaults=true&flat_settings=true'),
    tasks: Object.values(tasks).flatMap((each) =>
      Object.entries(at(each, 'tasks') as object).map(([id, task]) => ({ ...(task as object), id })),
    ),
    recoveries: await ask('GET', '/_recovery?active_only=true'),
    explanation: isUnassigned ? await ask('GET', '/_cluster/allocation/explain') : undefined,
  };
  return { ...answers, answeredAt: Date.now() };
}

/** The interval at which gauges are read. A node measures them at most once per second, so none is missed. */
const everyMs = 250;

/** Collects every answer with a node's statistics until it is stopped. */
export function watchGauges({ ask }: WatchedCluster): { stop(): Promise<readonly unknown[]> } {
  const stopped = new AbortController();
  const asked: Promise<unknown>[] = [];
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      // Overlapping: a slow answer must not hide a second.
      asked.push(ask('GET', '/_nodes/stats').catch(() => undefined));
      await sleep(everyMs);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await asking;
      const answers = await Promise.all(asked);
      return answers.flatMap((answer) => Object.values(partsOf(at(answer, 'nodes'))));
    },
  };
}

const first = (rows: unknown): unknown => (rows as readonly unknown[])[0];

/** The parts of an answer by name, such as nodes by their ids; empty if there is no answer. */
export const partsOf = (answer: unknown): Readonly<Record<string, unknown>> =>
  typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {};

/** The value at a path of keys; undefined if the answer has none. */
export function at(from: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    from,
  );
}
