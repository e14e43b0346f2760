import { nodeTimeout } from '../client/waits.js';
import { asking, identified, type Subject } from './asking.js';
import { obstacleOfAnswer } from './obstacles.js';
import type { ConnectionKind, Obstacle } from './result.js';

/** What the busiest threads of each node are doing. */
export interface HotThreads {
  readonly ok: boolean;
  readonly kind: ConnectionKind;
  /** As the cluster writes it; null if it could not be obtained. */
  readonly hotThreads: string | null;
  readonly message: string;
}

/**
 * Asks for the hot threads, only on demand, because it takes the cluster half a second. If a UUID is given,
 * the answer must come from that cluster: another one might be at its address by now.
 */
export async function readHotThreads(
  subject: Subject,
  signal?: AbortSignal,
  clusterUuid?: string,
): Promise<HotThreads> {
  const { integration } = subject;
  const ask = asking(subject, signal);
  const identity = await identified(ask, subject);
  if ('kind' in identity) return without(identity);
  if (clusterUuid !== undefined && identity.uuid !== clusterUuid)
    return without({
      kind: 'unsupported_endpoint',
      message: `${integration.url} leads to another cluster now, or to one that has not formed.`,
    });
  const answer = await ask(`/_nodes/hot_threads?${nodeTimeout(integration)}`, identity);
  if ('kind' in answer) return without(answer);
  if (answer.status !== 200) return without(obstacleOfAnswer(answer, integration, identity));
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  return { ok: true, kind: 'ok', hotThreads: text, message: `Hot threads of ${integration.url}.` };
}

const without = ({ kind, message }: Obstacle): HotThreads => ({
  ok: false,
  kind,
  hotThreads: null,
  message,
});
