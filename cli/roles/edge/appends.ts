import { createBatchLog, isRepeatedBatch } from '../../../http-edge/agent-batches/batch-log.js';
import { agentTopics } from '../../../http-edge/agent-batches/datasets.js';
import { areRepeatedEvents, createEventLog } from '../../../http-edge/events/event-log.js';
import { createRequestLog, isRepeatedTask } from '../../../http-edge/request-log.js';
import type { KnownTask } from '../../../http-edge/status-view/status-view.js';
import type { IdempotentAppendContext } from '../../../runtime/kafka/transactions/idempotent-append-group.js';
import { createIdempotentAppender } from '../../../runtime/kafka/transactions/idempotent-appender.js';
import type { IngestBatch } from '../../../schemas/generated/ingest-batch.js';
import { ingestBatches, ingestEvents } from '../../../topics/ingest.js';
import { scoringRequests, taskStatus } from '../../../topics/scoring.js';
import type { EdgeFoundation } from './foundation.js';
import type { EdgeViews } from './views.js';

/** Appends what the edge accepts to the topics; once, if the sender gives it an id. */
export function openAppends(
  { settings, kafka, codecs, appender, metrics, kept }: EdgeFoundation,
  { taskStatusView, batchView }: EdgeViews,
) {
  const common = { kafka, timeoutMs: settings.append.APPEND_TIMEOUT_MS, metrics };
  const appendOnce = <Entry>(
    context: Pick<IdempotentAppendContext<Entry>, 'name' | 'writes' | 'lookup' | 'isRepeat'>,
  ) => {
    const { name } = context;
    const local = createIdempotentAppender<Entry>({ ...common, ...context });
    const shared = { name, local, holder: appender, timeoutMs: common.timeoutMs };
    return kept(`appends of ${name}`, taskStatusView.appendOwners?.share(shared) ?? local);
  };
  const ofBatches = (topics: readonly { readonly name: string }[]) => ({
    writes: [ingestBatches, ...topics].map(({ name }) => name),
    lookup: (key: string) => batchView.last(key),
  });
  const batchCodec = codecs.of(ingestBatches);
  return {
    requestLog: createRequestLog({
      appender,
      once: appendOnce<KnownTask>({
        name: 'telltale-once',
        writes: [taskStatus.name, scoringRequests.name],
        lookup: async (id) => (await taskStatusView.lookup([id]))[0],
        isRepeat: isRepeatedTask,
      }),
      requestCodec: codecs.of(scoringRequests),
      statusCodec: codecs.of(taskStatus),
      clock: Date.now,
    }),
    batchLog: createBatchLog({
      once: appendOnce<IngestBatch>({
        name: 'telltale-batches',
        ...ofBatches(agentTopics),
        isRepeat: isRepeatedBatch,
      }),
      codec: batchCodec,
    }),
    eventLog: createEventLog({
      appender,
      codec: codecs.of(ingestEvents),
      // Applications send many keys, through every edge. Separate transactional ids keep them from fencing an
      // agent's batch.
      once: appendOnce<IngestBatch>({
        name: 'telltale-event-keys',
        ...ofBatches([ingestEvents]),
        isRepeat: areRepeatedEvents,
      }),
      batchCodec,
    }),
  };
}
