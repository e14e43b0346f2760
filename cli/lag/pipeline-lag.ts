import type { GroupLag, PartitionLag, GroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import { deadLettersOf } from '../../topics/dead-letters.js';
import { scoringRequestsLanguageModel, scoringRequestsLanguageModelRealtime } from '../../topics/scoring.js';
import type { PipelineStage } from '../pipeline.js';
import { stageGroups, type StageGroup } from './stage-groups.js';

/** The positions of every stage at one time, as the API and `--json` return them. */
export interface PipelineLag {
  readonly at: string;
  readonly stages: readonly StageLag[];
}

export interface StageLag {
  readonly stage: string;
  readonly topic: string;
  readonly group: string;
  readonly state: GroupLag['state'];
  readonly members: number | null;
  /** The sum over all partitions; null if one of them is unknown. */
  readonly lag_records: number | null;
  /** Age of the oldest unread record. */
  readonly lag_seconds: number | null;
  /** Why something is null. */
  readonly unknown: string | null;
  /** What it waits for; null if unknown. */
  readonly waits_for: string | null;
  readonly appended_last_minute: number | null;
  /** The number of records in `<topic>.dead-letters`. */
  readonly dead_letters: number | null;
  readonly partitions: readonly {
    readonly partition: number;
    /** The id of the group member that reads it; null if none does. */
    readonly process: string | null;
    readonly lag_records: number | null;
    readonly lag_seconds: number | null;
    readonly unknown: string | null;
  }[];
}

export interface LagSources {
  readonly kafka: Pick<GroupLagReader, 'read'>;
  /** Undefined if ClickHouse answers, otherwise the reason why it does not. */
  readonly clickhouseDown: () => Promise<string | undefined>;
}

/** Rejects if Kafka does not answer at all. */
export async function readPipelineLag(
  stages: readonly PipelineStage[],
  { kafka, clickhouseDown }: LagSources,
): Promise<PipelineLag> {
  const groups = stageGroups(stages);
  const [{ groups: lags, kept }, away] = await Promise.all([
    kafka.read(
      groups.map(({ groupId, topic }) => ({ groupId, topic: topic.name })),
      groups.map(({ topic }) => deadLettersOf(topic)),
    ),
    clickhouseDown(),
  ]);
  return {
    at: new Date().toISOString(),
    stages: groups.map((group, index) =>
      stageLag(group, lags[index], away, kept.get(deadLettersOf(group.topic)) ?? null),
    ),
  };
}

function stageLag(
  { stage, topic, groupId }: StageGroup,
  lag: GroupLag | undefined,
  clickhouseDown: string | undefined,
  deadLetters: number | null,
): StageLag {
  const partitions = lag?.partitions ?? [];
  const unknown = lag?.unknown ?? partitions.find((one) => one.unknown !== null)?.unknown ?? null;
  const isKnown = lag !== undefined && lag.unknown === null;
  const records = isKnown ? total(partitions, 'records', (a, b) => a + b) : null;
  const found = {
    stage: stage.name,
    topic: topic.name,
    group: groupId,
    state: lag?.state ?? ('unknown' as const),
    members: lag?.members ?? null,
    lag_records: records,
    lag_seconds: isKnown ? total(partitions, 'seconds', Math.max) : null,
    unknown,
  };
  return {
    ...found,
    waits_for: waitsFor(stage, topic.name, { ...found, partitions }, clickhouseDown),
    appended_last_minute: lag?.appendedLastMinute ?? null,
    dead_letters: deadLetters,
    partitions: partitions.map((one) => ({
      partition: one.partition,
      process: one.process,
      lag_records: one.records,
      lag_seconds: one.seconds,
      unknown: one.unknown,
    })),
  };
}

function total(
  partitions: readonly PartitionLag[],
  figure: 'records' | 'seconds',
  join: (a: number, b: number) => number,
): number | null {
  return partitions.reduce<number | null>((sum, one) => {
    const value = one[figure];
    return sum === null || value === null ? null : join(sum, value);
  }, 0);
}

/** A transaction of ours that is still open after this time has no process working on it. */
const longestCommitSeconds = 30;

const languageModelLanes: ReadonlySet<string> = new Set([
  scoringRequestsLanguageModel.name,
  scoringRequestsLanguageModelRealtime.name,
]);

function waitsFor(
  stage: PipelineStage,
  topic: string,
  {
    state,
    lag_records: records,
    unknown,
    group,
    partitions,
  }: Pick<StageLag, 'state' | 'lag_records' | 'unknown' | 'group'> & Pick<GroupLag, 'partitions'>,
  clickhouseDown: string | undefined,
): string | null {
  if (records === 0) return null;
  if (state === 'stopped')
    return `a process: group ${group} has no member; start one (\`telltale ${stage.role}\`)`;
  if (state === 'joining') return 'its group: the partitions are being assigned';
  if (stage.role === 'sinks' && clickhouseDown !== undefined) return `ClickHouse: ${clickhouseDown}`;
  if (records === null) return unknown === null ? null : `Kafka: ${unknown}`;
  const hanging = partitions.find(
    ({ isUndecided, seconds }) => isUndecided && (seconds ?? 0) > longestCommitSeconds,
  );
  if (hanging !== undefined)
    return `Kafka: a transaction in partition ${hanging.partition} has not ended; Kafka aborts it unless its process ends it`;
  return languageModelLanes.has(topic) ? 'the language model: this lane only calls it' : null;
}
