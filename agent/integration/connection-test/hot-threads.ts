import { SearchCallError } from '../../collectors/client-port.js';
import { nodeTimeout } from '../client/waits.js';
import { obstacleOfAnswer, obstacleOfFailure } from './obstacles.js';
import type { ConnectionKind } from './result.js';
import type { Subject } from './test-connection.js';

/** What the busiest threads of each node do at this moment. */
export interface HotThreads {
  readonly ok: boolean;
  readonly kind: ConnectionKind;
  /** As the cluster writes it; null where it was not to be had. */
  readonly hotThreads: string | null;
  readonly message: string;
}

/** Asks for them, which takes the cluster half a second; only ever on demand. */
export async function readHotThreads(
  { integration, client }: Subject,
  signal?: AbortSignal,
): Promise<HotThreads> {
  const without = (obstacle: { kind: ConnectionKind; message: string }): HotThreads => ({
    ok: false,
    kind: obstacle.kind,
    hotThreads: null,
    message: obstacle.message,
  });
  try {
    const answer = await client.get(
      `/_nodes/hot_threads?${nodeTimeout(integration)}`,
      signal === undefined ? {} : { signal },
    );
    if (answer.status !== 200) return without(obstacleOfAnswer(answer, integration));
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return { ok: true, kind: 'ok', hotThreads: text, message: `Hot threads of ${integration.url}.` };
  } catch (error) {
    if (error instanceof SearchCallError) return without(obstacleOfFailure(error, integration));
    throw error;
  }
}
