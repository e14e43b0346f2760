import type { Answer } from '../../api/client.js';
import type { Verdict } from '../../shared/status.js';

type Node = Answer<'/api/v1/clusters/{cluster_uuid}/nodes'>['nodes'][number];
type Pool = Pick<Node['thread_pools'][number], 'rejections' | 'queue_ratio'>;
type Breaker = Pick<Node['circuit_breakers'][number], 'trips' | 'utilisation'>;

const fine: Verdict = { status: 'ok', word: 'fine', reason: null };
const queueFills = 0.5;
const nearLimit = 0.85;

/** A pool is fine only if it is known to reject nothing: rejections are counted between two snapshots. */
export function evaluatePool({ rejections, queue_ratio: queue }: Pool): Verdict {
  if (rejections !== null && rejections > 0)
    return {
      ...{ status: 'bad', word: 'rejects' },
      reason:
        'Its threads and its queue were full. Send fewer requests at once, retry the refused ones later, or add a node.',
    };
  if (queue !== null && queue >= queueFills)
    return {
      ...{ status: 'warn', word: 'queue fills' },
      reason:
        'More requests arrive than its threads can process; those that find the queue full are refused. Ask for the hot threads of the node (Nodes), or send less.',
    };
  return rejections === null ? unknown('Rejections') : fine;
}

/** A breaker is fine only if it is known not to have tripped, and to be far from its limit. */
export function evaluateBreaker({ trips, utilisation: used }: Breaker): Verdict {
  if (trips !== null && trips > 0)
    return {
      ...{ status: 'bad', word: 'tripped' },
      reason:
        'It refused requests that would have taken too much memory. Make them smaller (bulks, aggregations, pages), or give the node more heap.',
    };
  if (used !== null && used >= nearLimit)
    return {
      ...{ status: 'warn', word: 'near its limit' },
      reason: 'The next large request may be refused. Make requests smaller, or give the node more heap.',
    };
  return trips === null || used === null ? unknown('Trips') : fine;
}

const unknown = (what: string): Verdict => ({
  ...{ status: 'unknown', word: 'unknown' },
  reason: `${what} are counted from one snapshot to the next, and one of the two is missing. Look again after the next one, then at “Collected”.`,
});
