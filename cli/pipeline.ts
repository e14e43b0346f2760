import { clusterHealthDeclaration } from '../processors/cluster-health/index.js';
import { scoringLanes } from '../processors/score-metrics/lanes.js';
import type { ProcessorDeclaration } from '../runtime/processor.js';
import { apiKeys, keyUses } from '../topics/access.js';
import { agentReports } from '../topics/agents.js';
import { clusterMemory } from '../topics/cluster-figures.js';
import { clusterSnapshots, hotThreads, slowOperations } from '../topics/clusters.js';
import { dashboardSessions } from '../topics/dashboard.js';
import { deadLetterDecisions } from '../topics/dead-letters.js';
import { ingestBatches, ingestEvents, ingestSpans } from '../topics/ingest.js';
import {
  scoringReplies,
  scoringRequests,
  scoringRequestsRealtime,
  scoringScorers,
  taskStatus,
} from '../topics/scoring.js';
import { maintenanceRuns } from '../topics/maintenance.js';
import { processReports } from '../topics/processes.js';
import { replays } from '../topics/replays.js';
import type { Topic } from '../topics/topic.js';
import { sinks } from './sinks.js';

/** One stage of the pipeline: the topics that it reads and writes, and its table. */
export interface PipelineStage {
  readonly name: string;
  readonly role: 'edge' | 'processors' | 'sinks' | 'cli';
  readonly reads: readonly Topic[];
  readonly writes: readonly Topic[];
  readonly table?: string;
}

const { task, realtime } = scoringLanes;

/** The stage of a processor, with the other topics that its process reads and writes. */
function processorStage<In>(
  { name, from, to }: ProcessorDeclaration<In>,
  { reads = [], writes = [] }: Partial<Pick<PipelineStage, 'reads' | 'writes'>> = {},
): PipelineStage {
  return {
    name: `processors/${name}`,
    role: 'processors',
    reads: [from, ...reads],
    writes: [...to, ...writes],
  };
}

/** The group of the edges, if they share the task statuses. */
export const taskStatusGroup = 'telltale.edge.task-status';
/** The group in which edges divide idempotent appends, if each keeps all task statuses. */
export const appendGroup = 'telltale.edge.appends';

/** The whole pipeline as a list: the diagram is drawn from it, and tests compare the stages with it. */
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
      hotThreads,
      deadLetterDecisions,
      replays,
      processReports,
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
      hotThreads,
      deadLetterDecisions,
      replays,
    ],
  },
  // Processes of the task lane also replay stored requests and report their scorers.
  processorStage(task.ordinary, { reads: [replays], writes: [scoringScorers, replays] }),
  processorStage(task.overflow),
  processorStage(task.languageModel),
  processorStage(realtime.ordinary),
  processorStage(realtime.overflow),
  processorStage(realtime.languageModel),
  processorStage(clusterHealthDeclaration, { reads: [clusterMemory] }),
  ...sinks.map(({ name, from, table }): PipelineStage => ({
    name: `sinks/${name}`,
    role: 'sinks',
    reads: [from],
    writes: [],
    table,
  })),
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
    // The command only requests replays; the sinks' processes do them.
    name: 'cli/table-replays',
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
    // Every process of the pipeline does this.
    name: 'cli/process-reports',
    role: 'cli',
    reads: [],
    writes: [processReports],
  },
  {
    name: 'cli/maintenance',
    role: 'cli',
    reads: [maintenanceRuns],
    writes: [maintenanceRuns],
  },
];

/** A consumer in a group can meet poison, and needs a topic for it. Replays are read whole, in no group. */
export const consumedTopics: readonly Topic[] = [
  ...new Set(
    pipeline
      .filter(({ role }) => role === 'processors' || role === 'sinks')
      .flatMap(({ reads }) => reads)
      .filter((topic) => topic !== replays),
  ),
];
