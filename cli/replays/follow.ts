import { createHealth } from '../../runtime/health.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import { createMetrics } from '../../runtime/metrics.js';
import type { Codec } from '../../runtime/codec.js';
import { isUnderWay } from '../../runtime/replays/request-replay.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { replays } from '../../topics/replays.js';
import { showProgress } from '../progress.js';

/**
 * Shows the progress of a replay that processors do, until it ends. On interruption the replay continues, and
 * the result is undefined.
 */
export async function followReplay(
  { access, codec }: { readonly access: KafkaAccess; readonly codec: Codec<Replay> },
  asked: Replay,
): Promise<Replay | undefined> {
  const shown = showProgress();
  const target = new MemoryTarget<Replay>();
  const view = startCompactedView({
    topic: replays,
    codec,
    target,
    kafka: access,
    condition: createHealth().condition('replays'),
    metrics: createMetrics(),
  });
  try {
    return await new Promise<Replay | undefined>((resolve) => {
      const look = (): void => {
        const found = target.get(asked.id);
        if (found === undefined || found.sequence < asked.sequence) return;
        if (isUnderWay(found)) shown.show(found);
        else finish(found);
      };
      const timer = setInterval(look, 200);
      const interrupted = (): void => finish(undefined);
      const finish = (found: Replay | undefined): void => {
        clearInterval(timer);
        process.off('SIGINT', interrupted);
        if (found !== undefined) shown.end(found);
        resolve(found);
      };
      process.once('SIGINT', interrupted);
    });
  } finally {
    await view.stop();
  }
}
