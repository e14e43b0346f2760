import { SearchCallError } from '../../collectors/client-port.js';
import { identify } from '../client/identify.js';
import { nodeTimeout } from '../client/waits.js';
import { notSupported, obstacleOfAnswer, obstacleOfFailure } from './obstacles.js';
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
  const called = signal === undefined ? {} : { signal };
  try {
    // A web server, and OpenSearch, may answer the next call too.
    const root = await client.get('/', called);
    if (root.status !== 200) return without(obstacleOfAnswer(root, integration));
    const found = identify(root);
    if (!found.supported) return without(notSupported(integration.url, found.reason));
    const answer = await client.get(`/_nodes/hot_threads?${nodeTimeout(integration)}`, called);
    if (answer.status !== 200) return without(obstacleOfAnswer(answer, integration, found.identity));
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return { ok: true, kind: 'ok', hotThreads: text, message: `Hot threads of ${integration.url}.` };
  } catch (error) {
    if (error instanceof SearchCallError) return without(obstacleOfFailure(error, integration));
    throw error;
  }
}
