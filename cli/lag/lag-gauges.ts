import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../runtime/errors.js';
import type { Stoppable } from '../../runtime/lifecycle.js';
import type { Logger } from '../../runtime/logging.js';
import type { Gauge, Metrics } from '../../runtime/metrics.js';
import type { LagReader } from './lag-reader.js';
import type { PipelineLag } from './pipeline-lag.js';

export interface LagGaugesOptions {
  readonly reader: Pick<LagReader, 'read'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly everyMs?: number;
}

type OfPartition = 'stage' | 'partition';

/**
 * Reports the lag of every stage as metrics, even if no process of the stage runs. An unknown lag has no
 * sample: neither 0 nor the last known figure.
 */
export function startLagGauges({ reader, metrics, logger, everyMs = 15_000 }: LagGaugesOptions): Stoppable {
  const records = metrics.gauge<OfPartition>(
    'telltale_stage_lag_records',
    'Offsets between a stage and the end of its topic; no sample if unknown.',
    ['stage', 'partition'],
  );
  const seconds = metrics.gauge<OfPartition>(
    'telltale_stage_lag_seconds',
    'Age of the oldest record that a stage has not read; no sample if unknown.',
    ['stage', 'partition'],
  );
  const members = metrics.gauge('telltale_stage_members', 'Processes in the group of a stage.', ['stage']);
  const deadLetters = metrics.gauge(
    'telltale_dead_letters_kept_records',
    'Records that the dead letters of a stage hold.',
    ['stage'],
  );
  const known = metrics.gauge('telltale_lag_known', '1 if Kafka answered the last check of the lag, else 0.');
  const stopped = new AbortController();

  const show = ({ stages }: PipelineLag): void => {
    for (const gauge of [records, seconds, members, deadLetters]) gauge.reset();
    for (const { stage, partitions, ...of } of stages) {
      set(members, { stage }, of.members);
      set(deadLetters, { stage }, of.dead_letters);
      for (const one of partitions) {
        const labels = { stage, partition: String(one.partition) };
        set(records, labels, one.lag_records);
        set(seconds, labels, one.lag_seconds);
      }
    }
    known.set(1);
  };
  const lookAgainAndAgain = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        show(await reader.read());
      } catch (error) {
        for (const gauge of [records, seconds, members, deadLetters]) gauge.reset();
        known.set(0);
        logger.debug(
          { event: 'stage-lag-unknown', reason: reasonOf(error) },
          'the lag of the stages is unknown at the moment',
        );
      }
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  void lookAgainAndAgain();
  return { name: 'lag of the stages', stop: () => stopped.abort() };
}

function set<Label extends string>(
  gauge: Gauge<Label>,
  labels: Record<Label, string>,
  value: number | null,
): void {
  if (value !== null) gauge.set(labels, value);
}
