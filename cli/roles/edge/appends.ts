import { createBatchLog } from '../../../http-edge/agent/batch-log.js';
import { agentTopics } from '../../../http-edge/agent/datasets.js';
import { createEventLog } from '../../../http-edge/events/event-log.js';
import { createRequestLog } from '../../../http-edge/request-log.js';
import type { KnownTask } from '../../../http-edge/status-view/status-view.js';
import { createIdempotentAppender } from '../../../runtime/kafka/transactions/idempotent-appender.js';
import type { IngestBatch } from '../../../schemas/generated/ingest-batch.js';
import { ingestBatches, ingestEvents } from '../../../topics/ingest.js';
import { scoringRequests, taskStatus } from '../../../topics/scoring.js';
import type { EdgeFoundation } from './foundation.js';
import type { EdgeViews } from './views.js';

/** How what the edge accepts gets into the topics, once where the sender names it. */
export function openAppends(
  { settings, kafka, codecs, appender, logger, metrics, kept }: EdgeFoundation,
  { taskStatusView, batchView }: EdgeViews,
) {
  const common = { kafka, timeoutMs: settings.append.APPEND_TIMEOUT_MS, logger, metrics };
  const once = kept(
    'idempotent appends',
    createIdempotentAppender<KnownTask>({
      ...common,
      name: 'telltale-once',
      writes: [taskStatus.name, scoringRequests.name],
      lookup: async (id) => (await taskStatusView.lookup([id]))[0],
    }),
  );
  const appendOnce = (name: string, topics: readonly { readonly name: string }[]) =>
    kept(
      `appends of ${name}`,
      createIdempotentAppender<IngestBatch>({
        ...common,
        name,
        writes: [ingestBatches, ...topics].map((topic) => topic.name),
        lookup: (key) => batchView.last(key),
      }),
    );
  const batchCodec = codecs.of(ingestBatches);
  return {
    requestLog: createRequestLog({
      appender,
      once,
      requestCodec: codecs.of(scoringRequests),
      statusCodec: codecs.of(taskStatus),
      clock: Date.now,
    }),
    batchLog: createBatchLog({ once: appendOnce('telltale-batches', agentTopics), codec: batchCodec }),
    eventLog: createEventLog({
      appender,
      codec: codecs.of(ingestEvents),
      // Keys of applications are many and come to every edge: with ids of their own they fence no agent's batch.
      once: appendOnce('telltale-event-keys', [ingestEvents]),
      batchCodec,
    }),
  };
}
