import type { Metrics } from '../../runtime/metrics.js';
import { pipeline, type PipelineStage } from '../pipeline.js';

/** A role whose processes report. */
export type ReportingRole = Exclude<PipelineStage['role'], 'cli'>;

interface CountedErrors {
  /** The name of a counter in the process's metrics. */
  readonly counter: string;
  /** The stage that had the error; undefined if these labels stand for no error. */
  readonly stageOf: (labels: Readonly<Record<string, string>>) => string | undefined;
}

const stageOfPool: Readonly<Record<string, string>> = {
  tasks: 'processors/score-metrics',
  realtime: 'processors/score-metrics-realtime',
  background: 'processors/score-metrics-overflow',
  'long-texts': 'processors/score-metrics-overflow',
};
const processorOf = ({ processor = '' }: Readonly<Record<string, string>>): string =>
  `processors/${processor}`;
const sinkOf = ({ sink = '' }: Readonly<Record<string, string>>): string => `sinks/${sink}`;

/** The errors of a stage: the edge's 5xx answers, failed records, and retries. */
const counted: Readonly<Record<ReportingRole, readonly CountedErrors[]>> = {
  edge: [
    {
      counter: 'telltale_http_requests_total',
      // Not ready is an answer, not a failure: starting an edge includes asking until it is ready.
      stageOf: ({ status, route }) =>
        Number(status) >= 500 && route !== '/readyz' ? 'http-edge' : undefined,
    },
  ],
  processors: [
    {
      counter: 'telltale_processor_records_total',
      stageOf: (labels) => (labels['outcome'] === 'dead-letter' ? processorOf(labels) : undefined),
    },
    {
      counter: 'telltale_processor_transactions_total',
      stageOf: (labels) => (labels['end'] === 'failed' ? processorOf(labels) : undefined),
    },
    { counter: 'telltale_processor_retries_total', stageOf: processorOf },
    { counter: 'telltale_pool_lost_workers_total', stageOf: ({ pool = '' }) => stageOfPool[pool] },
  ],
  sinks: [
    { counter: 'telltale_sink_retries_total', stageOf: sinkOf },
    { counter: 'telltale_sink_dead_letters_total', stageOf: sinkOf },
  ],
};

/** The errors of each stage of the role that the process has counted since its start. */
export async function errorsSoFar(
  role: ReportingRole,
  metrics: Pick<Metrics, 'valuesOf'>,
): Promise<ReadonlyMap<string, number>> {
  const errors = new Map(pipeline.filter((stage) => stage.role === role).map(({ name }) => [name, 0]));
  for (const { counter, stageOf } of counted[role])
    for (const { labels, value } of await metrics.valuesOf(counter)) {
      const stage = stageOf(labels);
      if (stage !== undefined) errors.set(stage, (errors.get(stage) ?? 0) + value);
    }
  return errors;
}
