import type { Section } from '../section.js';
import { allocationExplainCollector } from './allocation-explain.js';
import { clusterStatsCollector } from './cluster-stats.js';
import { dataStreamsCollector } from './data-streams.js';
import { healthCollector } from './health.js';
import { indicesCollector } from './indices.js';
import { nodesCollector } from './nodes.js';
import { pendingTasksCollector } from './pending-tasks.js';
import { recoveryCollector } from './recovery.js';
import { shardsCollector } from './shards.js';
import { tasksCollector } from './tasks.js';
import { topologyCollector } from './topology.js';
import { watermarksCollector } from './watermarks.js';

/** The order of collection if several are due: sections that others build on come first. */
export const sections: readonly Section[] = [
  healthCollector,
  topologyCollector,
  nodesCollector,
  pendingTasksCollector,
  watermarksCollector,
  clusterStatsCollector,
  indicesCollector,
  shardsCollector,
  allocationExplainCollector,
  recoveryCollector,
  tasksCollector,
  dataStreamsCollector,
];
