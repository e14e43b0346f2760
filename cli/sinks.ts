import type { Sink } from '../runtime/sink.js';
import {
  clusterHealthSink,
  clusterIndicesSink,
  clusterNodesSink,
  clusterOverviewSink,
  clusterRecoveriesSink,
  clusterShardsSink,
  clusterTasksSink,
  slowOperationsSink,
} from '../sinks/clusters/tables.js';
import { eventsSink } from '../sinks/events/index.js';
import { scoringResultsSink } from '../sinks/scoring-results/index.js';
import { spansSink } from '../sinks/spans/index.js';

/** Every sink. Each has its own consumer group, so that one table's outage does not delay the others. */
export const sinks: readonly Sink[] = [
  scoringResultsSink,
  eventsSink,
  spansSink,
  clusterOverviewSink,
  clusterNodesSink,
  clusterIndicesSink,
  clusterShardsSink,
  clusterTasksSink,
  clusterRecoveriesSink,
  clusterHealthSink,
  slowOperationsSink,
];
