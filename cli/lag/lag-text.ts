import { table } from '../table.js';
import type { PipelineLag, StageLag } from './pipeline-lag.js';

const number = (value: number | null): string => (value === null ? 'unknown' : String(value));

/** `0.4 s`, `12 s`, `3 min`, `2.5 h`, `3.1 d`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return 'unknown';
  if (seconds < 120) return `${seconds < 10 && seconds > 0 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3_600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} d`;
}

/** The lag as a table: a line per stage, then its partitions if one of them lags or all are asked for. */
export function lagText({ at, stages }: PipelineLag, everyPartition: boolean): string {
  const header = ['stage', 'behind', 'records', 'members', 'dead letters', 'waits for'];
  const rows = stages.flatMap((stage) => [
    [
      stage.stage,
      duration(stage.lag_seconds),
      number(stage.lag_records),
      number(stage.members),
      number(stage.dead_letters),
      remarkOf(stage),
    ],
    ...stage.partitions
      .filter((one) => everyPartition || one.lag_records !== 0)
      .map((one) => [
        `  ${stage.topic}/${one.partition}`,
        duration(one.lag_seconds),
        number(one.lag_records),
        '',
        '',
        one.unknown ?? '',
      ]),
  ]);
  return [at, table([header, ...rows])].join('\n');
}

const remarkOf = ({ waits_for: waits, unknown }: StageLag): string => waits ?? unknown ?? '';
