import { explained } from './advice.js';
import { nameOf, presentFirst } from './node-names.js';
import type { Deduction, Rule } from './rule.js';
import type { Absence, NodeSample, NodeState, PoolSample } from './situation.js';
import { change, gauge, incomplete, nodesOf, sustainedSamples, unmeasured, windowLength } from './windows.js';
import { named, percent } from './wording.js';

const indexingPressure = 'indexing_pressure';

/** Pools whose rejections reach the users of the cluster. */
const usersPools: ReadonlySet<string> = new Set([
  'search',
  'write',
  'bulk',
  'index',
  'get',
  'search_throttled',
  'search_coordination',
  'search_worker',
  'system_read',
  'system_write',
  indexingPressure,
]);
/** Pools that queue by design: nobody waits for one merge after the other, or one shard of a snapshot after the other. */
const backgroundPools: ReadonlySet<string> = new Set([
  'force_merge',
  'snapshot',
  'snapshot_meta',
  'fetch_shard_started',
  'fetch_shard_store',
]);
const usersPoints = 12;
const othersPoints = 6;
const mostRejectionPoints = 15;
const fullQueue = 0.8;
const fullQueuePoints = 5;
const busyPoints = 3;

/**
 * A rejection loses a request; a busy pool only delays it. So all busy pools together cost less than one
 * rejection, and nothing if there is one: otherwise the score would rise when a busy pool also rejects.
 */
export const threadPools: Rule = {
  name: 'thread-pools',
  category: 'thread-pools',
  evaluate({ nodes }) {
    const { list, notMeasured } = nodesOf(nodes, 'thread pools');
    const rejections = list.flatMap(rejectionsOf);
    const rejecting = new Set(rejections.map(keyOf));
    const busy = list.flatMap(busyOf).filter((found) => !rejecting.has(keyOf(found)));
    const missing = [
      ...unmeasured(list, 'thread pools', gauge(busyIn)),
      ...incomplete(list, 'thread pool rejections', rejectionsIn),
    ];
    return {
      deductions: rejections.length > 0 ? [rejectionDeduction(rejections, busy)] : busyDeductions(busy),
      notMeasured: [...notMeasured, ...missing],
    };
  },
};

const keyOf = ({ name, pool }: Pick<Rejecting, 'name' | 'pool'>): string => `${name}\n${pool}`;

/** The pools that have threads. Indexing pressure has none; it is absent before 7.9. */
const poolsOfThreads = ({ pools }: NodeSample): readonly PoolSample[] =>
  pools.filter(({ pool }) => pool !== indexingPressure);

function busyIn(sample: NodeSample): number | null {
  const pools = poolsOfThreads(sample);
  return pools.length === 0 || pools.some(({ busy }) => busy === null) ? null : pools.length;
}

const rejectionsIn = change((sample: NodeSample): number | null =>
  poolsOfThreads(sample).some(({ rejections }) => rejections === null) ? null : sample.pools.length,
);

interface Rejecting {
  readonly name: string;
  readonly absence: Absence | null;
  readonly pool: string;
  readonly rejections: number;
}

interface Busy {
  readonly name: string;
  readonly absence: Absence | null;
  readonly pool: string;
  readonly queue: number;
}

function rejectionsOf({ name, absence, samples }: NodeState): Rejecting[] {
  const sums = new Map<string, number>();
  for (const { pools } of samples.slice(-windowLength)) {
    for (const { pool, rejections } of pools) sums.set(pool, (sums.get(pool) ?? 0) + (rejections ?? 0));
  }
  return [...sums].flatMap(([pool, rejections]) =>
    rejections > 0 ? [{ name, absence, pool, rejections }] : [],
  );
}

function rejectionDeduction(found: readonly Rejecting[], busy: readonly Busy[]): Deduction {
  const base = found.some(({ pool }) => usersPools.has(pool)) ? usersPoints : othersPoints;
  const texts = found
    .toSorted((one, other) => presentFirst(one, other) || other.rejections - one.rejections)
    .map((each) => `${each.pool} on ${nameOf(each)} (${each.rejections})`);
  const others = busy.length === 0 ? '' : ` ${sentenceOf(busy)}`;
  return {
    code: 'thread_pool_rejections',
    points: Math.min(mostRejectionPoints, base + found.length - 1),
    reason: `${explained(
      'thread_pool_rejections',
      `Thread pools rejected requests in the last ${windowLength} samples: ${named(texts)}.`,
    )}${others}`,
  };
}

/** The pools that are busy in all samples since the last hole, each with its emptiest queue. */
function busyOf(node: NodeState): Busy[] {
  return (node.samples.at(-1)?.pools ?? []).flatMap(({ pool }) => {
    if (backgroundPools.has(pool)) return [];
    const stateIn = ({ pools }: NodeSample): PoolSample | undefined =>
      pools.find((each) => each.pool === pool);
    const isBusy = (sample: NodeSample): number | null => {
      const busy = stateIn(sample)?.busy ?? null;
      return busy === null ? null : Number(busy);
    };
    const samples = sustainedSamples(node, gauge(isBusy)) ?? [];
    if (samples.length === 0 || samples.some((sample) => isBusy(sample) === 0)) return [];
    const queues = samples.map((sample) => stateIn(sample)?.queueShare ?? 0);
    return [{ name: node.name, absence: node.absence, pool, queue: Math.min(...queues) }];
  });
}

function busyDeductions(busy: readonly Busy[]): readonly Deduction[] {
  if (busy.length === 0) return [];
  const full = busy.some(({ queue }) => queue >= fullQueue);
  const code = full ? 'thread_pool_queue_full' : 'thread_pool_busy';
  const points = full ? fullQueuePoints : busyPoints;
  return [{ code, points, reason: explained(code, sentenceOf(busy)) }];
}

function sentenceOf(busy: readonly Busy[]): string {
  const texts = busy
    .toSorted((one, other) => presentFirst(one, other) || other.queue - one.queue)
    .map((each) => {
      const queue = each.queue > 0 ? ` (queue ${percent(each.queue)} full)` : '';
      return `${each.pool} on ${nameOf(each)}${queue}`;
    });
  return `All threads stay busy while requests wait: ${named(texts)}.`;
}
