import { apiKeys, keyUses } from '../topics/access.js';
import { agentReports } from '../topics/agents.js';
import {
  clusterHealth,
  clusterIndices,
  clusterMemory,
  clusterNodes,
  clusterOverview,
  clusterRecoveries,
  clusterRowTopics,
  clusterShards,
  clusterTasks,
} from '../topics/cluster-figures.js';
import { clusterSnapshots, slowOperations } from '../topics/clusters.js';
import { dashboardSessions } from '../topics/dashboard.js';
import { deadLetterDecisions } from '../topics/dead-letters.js';
import { ingestBatches, ingestEvents, ingestSpans } from '../topics/ingest.js';
import {
  scoringReplies,
  scoringRequests,
  scoringRequestsLanguageModel,
  scoringRequestsLanguageModelRealtime,
  scoringRequestsOverflow,
  scoringRequestsRealtime,
  scoringRequestsRealtimeOverflow,
  scoringResults,
  scoringScorers,
  taskStatus,
} from '../topics/scoring.js';
import { maintenanceRuns } from '../topics/maintenance.js';
import { replays } from '../topics/replays.js';
import type { Topic } from '../topics/topic.js';

/** One stage of the pipeline: the topics that it reads and writes, and the table that it fills. */
export interface PipelineStage {
  readonly name: string;
  readonly role: 'edge' | 'processors' | 'sinks' | 'cli';
  readonly reads: readonly Topic[];
  readonly writes: readonly Topic[];
  readonly table?: string;
}

/** The whole pipeline as a list: the list draws the diagram, and tests hold the stages to it. */
export const pipeline: readonly PipelineStage[] = [
  {
    name: 'http-edge',
    role: 'edge',
    reads: [
      scoringReplies,
      taskStatus,
      scoringScorers,
      apiKeys,
      keyUses,
      dashboardSessions,
      ingestBatches,
      agentReports,
      deadLetterDecisions,
      replays,
    ],
    writes: [
      scoringRequests,
      scoringRequestsRealtime,
      taskStatus,
      apiKeys,
      keyUses,
      dashboardSessions,
      ingestEvents,
      ingestSpans,
      ingestBatches,
      agentReports,
      clusterSnapshots,
      slowOperations,
      replays,
    ],
  },
  {
    name: 'processors/score-metrics',
    role: 'processors',
    reads: [scoringRequests, replays],
    writes: [
      scoringResults,
      taskStatus,
      scoringRequestsOverflow,
      scoringRequestsLanguageModel,
      scoringScorers,
      replays,
    ],
  },
  {
    name: 'processors/score-metrics-overflow',
    role: 'processors',
    reads: [scoringRequestsOverflow],
    writes: [scoringResults, taskStatus],
  },
  {
    name: 'processors/score-metrics-language-model',
    role: 'processors',
    reads: [scoringRequestsLanguageModel],
    writes: [scoringResults, taskStatus],
  },
  {
    name: 'processors/score-metrics-realtime',
    role: 'processors',
    reads: [scoringRequestsRealtime],
    writes: [
      scoringResults,
      scoringReplies,
      scoringRequestsRealtimeOverflow,
      scoringRequestsLanguageModelRealtime,
    ],
  },
  {
    name: 'processors/score-metrics-realtime-overflow',
    role: 'processors',
    reads: [scoringRequestsRealtimeOverflow],
    writes: [scoringResults, scoringReplies],
  },
  {
    name: 'processors/score-metrics-realtime-language-model',
    role: 'processors',
    reads: [scoringRequestsLanguageModelRealtime],
    writes: [scoringResults, scoringReplies, scoringRequestsLanguageModelRealtime],
  },
  {
    name: 'sinks/scoring-results',
    role: 'sinks',
    reads: [scoringResults],
    writes: [],
    table: 'telltale.scoring_result_versions',
  },
  {
    name: 'sinks/events',
    role: 'sinks',
    reads: [ingestEvents],
    writes: [],
    table: 'telltale.events',
  },
  {
    name: 'sinks/spans',
    role: 'sinks',
    reads: [ingestSpans],
    writes: [],
    table: 'telltale.otel_traces',
  },
  {
    name: 'processors/cluster-health',
    role: 'processors',
    reads: [clusterSnapshots, clusterMemory],
    writes: [...clusterRowTopics, clusterHealth, clusterMemory],
  },
  {
    name: 'sinks/cluster-overview',
    role: 'sinks',
    reads: [clusterOverview],
    writes: [],
    table: 'telltale.cluster_overview',
  },
  {
    name: 'sinks/cluster-nodes',
    role: 'sinks',
    reads: [clusterNodes],
    writes: [],
    table: 'telltale.cluster_nodes',
  },
  {
    name: 'sinks/cluster-indices',
    role: 'sinks',
    reads: [clusterIndices],
    writes: [],
    table: 'telltale.cluster_indices',
  },
  {
    name: 'sinks/cluster-shards',
    role: 'sinks',
    reads: [clusterShards],
    writes: [],
    table: 'telltale.cluster_shards',
  },
  {
    name: 'sinks/cluster-tasks',
    role: 'sinks',
    reads: [clusterTasks],
    writes: [],
    table: 'telltale.cluster_tasks',
  },
  {
    name: 'sinks/cluster-recoveries',
    role: 'sinks',
    reads: [clusterRecoveries],
    writes: [],
    table: 'telltale.cluster_recoveries',
  },
  {
    name: 'sinks/cluster-health',
    role: 'sinks',
    reads: [clusterHealth],
    writes: [],
    table: 'telltale.cluster_health',
  },
  {
    name: 'sinks/slow-operations',
    role: 'sinks',
    reads: [slowOperations],
    writes: [],
    table: 'telltale.slow_operations',
  },
  {
    name: 'cli/dead-letters',
    role: 'cli',
    reads: [deadLetterDecisions],
    writes: [deadLetterDecisions],
  },
  {
    name: 'cli/replay',
    role: 'cli',
    reads: [replays],
    writes: [replays],
  },
  {
    name: 'cli/import',
    role: 'cli',
    reads: [replays],
    writes: [scoringRequests, taskStatus, replays],
  },
  {
    name: 'cli/maintenance',
    role: 'cli',
    reads: [maintenanceRuns],
    writes: [maintenanceRuns],
  },
];

/** The tables of all sinks. */
export const tables: readonly string[] = pipeline.flatMap(({ table }) =>
  table === undefined ? [] : [table],
);

/** Whoever consumes a topic in a group may meet poison, and needs a place for it. Replays are read whole, in no group. */
export const consumedTopics: readonly Topic[] = [
  ...new Set(
    pipeline
      .filter(({ role }) => role === 'processors' || role === 'sinks')
      .flatMap(({ reads }) => reads)
      .filter((topic) => topic !== replays),
  ),
];
