import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import { requestScoringReplay, requestTableReplay } from '../../runtime/replays/request-replay.js';
import type { ReplayLogOptions } from '../../runtime/replays/replay-log.js';
import type { ReplayedSink } from '../../runtime/replays/table/table-replay-request.js';
import type { Replay } from '../../schemas/generated/replay.js';
import type { Topic } from '../../topics/topic.js';
import type { Replays } from '../ports.js';
import { inTime } from '../http/in-time.js';
import { isShownTo } from './shown-to.js';
import type { ReplayRequest } from './replay-request.js';

export interface FollowedReplaysOptions extends Pick<ReplayLogOptions, 'operator'> {
  /** The topics that a replay of scoring appends to. */
  readonly scoringWrites: readonly string[];
  readonly sinks: readonly ReplayedSink[];
  readonly topic: Topic<Replay>;
  readonly codec: Codec<Replay>;
  readonly kafka: KafkaAccess;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/** Follows the topic of replays, and writes requests for new ones to it. */
export function followReplays(options: FollowedReplaysOptions): Replays & { stop(): Promise<void> } {
  const { topic, codec, kafka, scoringWrites, sinks, operator } = options;
  const target = new MemoryTarget<Replay>();
  const view = startCompactedView({ ...options, target });
  const log = { access: kafka, codec, operator };
  const ask = ({ rate, ...asked }: ReplayRequest): Promise<Replay> =>
    asked.kind === 'table'
      ? requestTableReplay(log, asked.request, rate)
      : requestScoringReplay({ ...log, writes: scoringWrites }, asked.request, rate);
  return {
    list: (workspace) => target.all().filter((replay) => isShownTo(workspace, replay)),
    sinks,
    async ask(request) {
      const replay = await inTime(topic.name, ask(request));
      // The caller must find it in the list, but a commit is confirmed before its records can be read.
      await view.decided(replay.id).catch(() => undefined);
      return replay;
    },
    stop: () => view.stop(),
  };
}
