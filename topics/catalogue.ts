import { apiKeys, keyUses } from './access.js';
import { agentReports } from './agents.js';
import { dashboardSessions } from './dashboard.js';
import { deadLetterDecisions } from './dead-letters.js';
import { ingestBatches, ingestEvents, ingestSpans } from './ingest.js';
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
} from './scoring.js';
import { clusterHealth, clusterMemory, clusterRowTopics } from './cluster-figures.js';
import { clusterSnapshots, hotThreads, slowOperations } from './clusters.js';
import { maintenanceRuns } from './maintenance.js';
import { processReports } from './processes.js';
import { replays } from './replays.js';
import type { Topic } from './topic.js';

/** Every topic with a schema. Dead-letter topics follow from it: see dead-letters.ts. */
export const catalogue: readonly Topic[] = [
  scoringRequests,
  scoringRequestsRealtime,
  scoringRequestsRealtimeOverflow,
  scoringRequestsLanguageModel,
  scoringRequestsLanguageModelRealtime,
  scoringRequestsOverflow,
  scoringReplies,
  scoringResults,
  taskStatus,
  scoringScorers,
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
  ...clusterRowTopics,
  clusterHealth,
  clusterMemory,
  deadLetterDecisions,
  replays,
  maintenanceRuns,
  processReports,
];
