import { scoringLanes } from '../../processors/score-metrics/lanes.js';
import { processorGroup, sinkGroup } from '../../runtime/group-ids.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import {
  type ConsumedTopic,
  openGroupLagReader,
  type GroupLagReader,
} from '../../runtime/kafka/consume/group-lag.js';
import { startLiveBrake, type LiveLag } from '../../runtime/replays/live-brake.js';
import { scoringResultsSink } from '../../sinks/scoring-results/index.js';
import { sinks } from '../sinks.js';

/** A lane that a replay yields to if the lane's first unread record is older than `mostSeconds`. */
type LiveLane = ConsumedTopic & { readonly mostSeconds: number };

const sinkSeconds = 5;

/** The lanes that a replay of scoring, or an import, yields to. */
export const liveLanes: readonly LiveLane[] = [
  laneOf(scoringLanes.realtime.ordinary, processorGroup, 0.5),
  laneOf(scoringLanes.task.ordinary, processorGroup, 1),
  // This sink also stores the replay's results: a replay goes no faster than they are stored.
  laneOf(scoringResultsSink, sinkGroup, sinkSeconds),
];

/** The sinks that a replay of a table yields to, because they share ClickHouse with it. */
export const liveSinks: readonly LiveLane[] = sinks.map((sink) => laneOf(sink, sinkGroup, sinkSeconds));

interface Stage {
  readonly name: string;
  readonly from: { readonly name: string };
}

function laneOf(stage: Stage, groupOf: (stage: Stage) => string, mostSeconds: number): LiveLane {
  return { groupId: groupOf(stage), topic: stage.from.name, mostSeconds };
}

/** The lag of each lane. */
export async function lagsOf(
  reader: Pick<GroupLagReader, 'read'>,
  lanes: readonly LiveLane[],
): Promise<readonly LiveLag[]> {
  const { groups } = await reader.read(lanes, []);
  return groups.map(({ groupId, members, partitions }, index) => {
    const known = partitions.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
    return {
      lane: groupId,
      isStopped: members === 0,
      seconds: Math.max(0, ...known),
      mostSeconds: lanes[index]?.mostSeconds ?? Infinity,
    };
  });
}

/** What a replay waits for, in words. */
export function whyItWaits({ lane, isStopped, seconds }: LiveLag): string {
  const age = `the first unread record of ${lane} is ${Math.round(seconds ?? 0)} s old`;
  const stopped = isStopped ? ', and no process of that group runs' : '';
  return `This replay yields to live work: ${age}${stopped}. Until that record is read, the replay does one portion every five seconds.`;
}

/** A live brake for a process that serves no real-time calls. */
export function startLaneBrake(
  access: KafkaAccess,
  lanes: readonly LiveLane[],
  waits: (why: string) => void = (why) => console.error(why),
) {
  const reader = openGroupLagReader(access);
  const brake = startLiveBrake(
    () => lagsOf(reader, lanes),
    { areArriving: false },
    (lag) => waits(whyItWaits(lag)),
  );
  const never = new AbortController().signal;
  return {
    wait: (signal = never): Promise<void> => brake.wait(signal),
    async stop(): Promise<void> {
      brake.stop();
      await reader.stop();
    },
  };
}
