import { join } from 'node:path';
import { startBatchView } from '../../../http-edge/agent-batches/batch-view.js';
import { startAgentReports } from '../../../http-edge/agent-reports/agent-reports.js';
import { startSessionsView } from '../../../http-edge/dashboard/sessions-view.js';
import { startForgettingKeys } from '../../../http-edge/events/forget-keys.js';
import { startHotThreadsLog } from '../../../http-edge/hot-threads/hot-threads-log.js';
import { startAccessKeys } from '../../../http-edge/keys/access-keys.js';
import { startKeyUses } from '../../../http-edge/keys/key-uses.js';
import { followReplays } from '../../../http-edge/replays/followed-replays.js';
import { startScorersView } from '../../../http-edge/scorers/scorers-view.js';
import { startCompactedView } from '../../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../../runtime/kafka/views/view-target.js';
import type { ProcessReport } from '../../../schemas/generated/process-report.js';
import { startReplies } from '../../../http-edge/replies/replies.js';
import { apiKeys, keyUses } from '../../../topics/access.js';
import { stoppedTogether } from '../../../runtime/lifecycle.js';
import { agentReports } from '../../../topics/agents.js';
import { hotThreads } from '../../../topics/clusters.js';
import { dashboardSessions } from '../../../topics/dashboard.js';
import { ingestBatches } from '../../../topics/ingest.js';
import { processReports } from '../../../topics/processes.js';
import { replays } from '../../../topics/replays.js';
import { scoringReplies, scoringScorers, taskStatus } from '../../../topics/scoring.js';
import { operatorName } from '../../operator.js';
import { replayWrites } from '../../replays/session.js';
import { sinks } from '../../sinks.js';
import type { EdgeFoundation } from './foundation.js';
import { startTaskStatuses } from './task-statuses.js';

const hourMs = 3_600_000;

export type EdgeViews = Awaited<ReturnType<typeof startViews>>;

/** The edge's views of the topics that it reads. */
export async function startViews(foundation: EdgeFoundation) {
  const { settings, kafka, codecs, appender, logger, instance, kept, reading, lifecycle } = foundation;
  const written = { appender };
  const all = stoppedTogether('views');
  lifecycle.register(all);
  const view = <View extends { stop(): Promise<void> }>(name: string, started: View): View => {
    all.add({ name, stop: () => started.stop() });
    return started;
  };
  const reports = new MemoryTarget<ProcessReport>();
  view(
    'reports of processes',
    startCompactedView({ ...reading(processReports, 'reports of processes'), target: reports }),
  );
  const accessKeys = view('API keys', startAccessKeys({ ...reading(apiKeys, 'API keys'), ...written }));
  const isKnown = (keyId: string): boolean => accessKeys.find(keyId) !== undefined;
  const views = {
    processReports: reports,
    accessKeys,
    keyUses: view(
      'uses of API keys',
      startKeyUses({ ...reading(keyUses, 'uses of API keys'), ...written, isKnown }),
    ),
    sessions: view(
      'dashboard sessions',
      startSessionsView({ ...reading(dashboardSessions, 'dashboard sessions'), ...written }),
    ),
    agentReports: view(
      'reports of agents',
      startAgentReports({ ...reading(agentReports, 'reports of agents'), ...written }),
    ),
    hotThreads: view(
      'hot threads',
      startHotThreadsLog({ ...reading(hotThreads, 'hot threads'), ...written }),
    ),
    taskStatusView: view(
      'task statuses',
      await startTaskStatuses(foundation, {
        state: settings.state,
        sharding: settings.sharding,
        edge: settings.edge,
        kafkaSettings: settings.kafka,
        kafka,
        retentionMs: settings.statusView.STATUS_RETENTION_HOURS * hourMs,
        codec: codecs.of(taskStatus),
      }),
    ),
    scorers: view('scorers', startScorersView(reading(scoringScorers, 'scorers'))),
    replays: view(
      'replays',
      followReplays({
        ...reading(replays, 'replays'),
        scoringWrites: replayWrites,
        sinks,
        operator: operatorName(),
      }),
    ),
    batchView: view(
      'batches of agents',
      startBatchView({
        ...reading(ingestBatches, 'batches of agents'),
        folder: join(settings.state, 'batches'),
      }),
    ),
    realtimeReplies: view('replies', startReplies({ ...reading(scoringReplies, 'replies'), instance })),
  };
  kept('old Idempotency-Keys', startForgettingKeys(views.batchView, appender, logger));
  return views;
}
