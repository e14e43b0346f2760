import type { Answer } from '../../api/client.js';
import type { Status } from '../../shared/status.js';

type Node = Answer<'/api/v1/clusters/{cluster_uuid}/nodes'>['nodes'][number];
type Pool = Pick<Node['thread_pools'][number], 'rejections' | 'queue_ratio'>;
type Breaker = Pick<Node['circuit_breakers'][number], 'trips' | 'utilisation'>;

interface Verdict {
  readonly status: Status;
  readonly word: string;
}

const unknown: Verdict = { status: 'unknown', word: 'unknown' };
const fine: Verdict = { status: 'ok', word: 'fine' };
const queueFills = 0.5;
const nearLimit = 0.85;

/** A pool is fine only where it is known to reject nothing: rejections are counted from one snapshot to the next. */
export function evaluatePool({ rejections, queue_ratio: queue }: Pool): Verdict {
  if (rejections !== null && rejections > 0) return { status: 'bad', word: 'rejects' };
  if (queue !== null && queue >= queueFills) return { status: 'warn', word: 'queue fills' };
  return rejections === null ? unknown : fine;
}

/** A breaker is fine only where it is known not to have tripped, and to be far from its limit. */
export function evaluateBreaker({ trips, utilisation: used }: Breaker): Verdict {
  if (trips !== null && trips > 0) return { status: 'bad', word: 'tripped' };
  if (used !== null && used >= nearLimit) return { status: 'warn', word: 'near its limit' };
  return trips === null || used === null ? unknown : fine;
}
