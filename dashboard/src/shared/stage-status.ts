import type { Answer } from '../api/client.js';
import { formatCount, formatMillis } from './format.js';
import type { Status } from './status.js';

export type Stage = Answer<'/api/v1/pipeline'>['stages'][number];

export interface StageVerdict {
  readonly status: Status;
  readonly word: string;
}

const lateSeconds = 60;
/** deploy/prometheus-rules.yaml alerts from this lag on. */
const tooLateSeconds = 300;

/** The status of a stage. Dead letters don't count: their number does not say how many are still open. */
export function evaluateStage({
  state,
  lag_records: records,
  lag_seconds: seconds,
  waits_for: waits,
}: Stage): StageVerdict {
  if (state === 'stopped')
    return records === 0 ? { status: 'warn', word: 'stopped' } : { status: 'bad', word: 'stopped' };
  if (records === null || seconds === null || state === 'unknown')
    return { status: 'unknown', word: 'unknown' };
  if (seconds >= tooLateSeconds) return { status: 'bad', word: 'far behind' };
  if (seconds >= lateSeconds) return { status: 'warn', word: 'behind' };
  if (state === 'joining') return { status: 'warn', word: 'joining' };
  return waits === null || records === 0
    ? { status: 'ok', word: 'running' }
    : { status: 'warn', word: 'waiting' };
}

/** Why a stage is not well, and what to do; undefined if it is well. */
export function adviceOf(stage: Stage): string | undefined {
  const { status, word } = evaluateStage(stage);
  if (status === 'ok') return undefined;
  const said = stage.waits_for ?? stage.unknown;
  if (said !== null) return said;
  if (word === 'behind' || word === 'far behind')
    return `It runs and waits for nothing known, but its oldest unread record has waited ${formatLag(stage.lag_seconds) ?? 'for a long time'}: more arrives than it can process. Check its log and its load; start another process of it, as long as there are fewer than its ${stage.partitions.length} partitions.`;
  if (word === 'stopped') return 'No process of it runs, and nothing waits. Start one before data arrives.';
  return 'Nothing more is known about it now. Look again in a few seconds, then at its log.';
}

/** What each process of a stage reads, and how many records wait there; null if that is unknown. */
export function processesOf({ partitions }: Pick<Stage, 'partitions'>): readonly {
  readonly id: string;
  readonly partitions: number;
  readonly records: number | null;
}[] {
  const ids = [...new Set(partitions.flatMap(({ process }) => process ?? []))].sort();
  return ids.map((id) => {
    const its = partitions.filter(({ process }) => process === id);
    return {
      ...{ id, partitions: its.length },
      records: its.reduce<number | null>(
        (sum, { lag_records: records }) => (sum === null || records === null ? null : sum + records),
        0,
      ),
    };
  });
}

/** The lag in time; undefined if unknown. */
export function formatLag(seconds: number | null): string | undefined {
  if (seconds === null) return undefined;
  return seconds === 0 ? '0 s' : formatMillis(seconds * 1_000);
}

/** `1,200 records, 34.5 s behind`; an unknown part is written as unknown. */
export function lagText({ lag_records: records, lag_seconds: seconds }: Stage): string {
  if (records === 0) return 'nothing to catch up';
  const count = records === null ? 'unknown records' : formatCount(records, 'record');
  return `${count}, ${formatLag(seconds) ?? 'unknown time'} behind`;
}
