import { createBatchReader } from '../../http-edge/agent-batches/batch-reader.js';
import { agentDatasets, agentTopics } from '../../http-edge/agent-batches/datasets.js';
import { oidcSignIn } from '../../http-edge/dashboard/oidc/oidc-sign-in.js';
import { startEdge } from '../../http-edge/edge.js';
import { startErrorReports } from '../processes/report-errors.js';
import { processReports } from '../../topics/processes.js';
import { schemaIdsOf } from '../../runtime/registry/codec-book.js';
import type { RoleContext } from '../role.js';
import { openAppends } from './edge/appends.js';
import { layFoundation, type EdgeFoundation } from './edge/foundation.js';
import { openReads } from './edge/reads.js';
import { startViews } from './edge/views.js';
import { serveOperations } from './operations.js';

/** The HTTP edge as a process: views of topics, appends, reads from tables and topics, and the listener. */
export async function startEdgeRole(context: RoleContext): Promise<void> {
  const foundation = await layFoundation(context);
  const { settings, codecs, instance, appender, logger, metrics, health, kept } = foundation;
  const views = await startViews(foundation);
  const appends = openAppends(foundation, views);
  const reads = openReads(foundation, views);
  const batchReader = await startBatchReader(foundation);
  kept(
    'listener',
    await startEdge({
      ports: {
        ...views,
        ...appends,
        ...reads,
        signIn: oidcSignIn(settings.oidc),
        agentDatasets: agentDatasets(codecs),
        batchReader,
      },
      config: settings.edge,
      metricsToken: settings.operations.METRICS_TOKEN,
      logger: logger.child({ instance }),
      metrics,
      health,
    }),
    settings.edge.EDGE_DRAIN_TIMEOUT_MS,
  );
  startErrorReports(context, {
    ...{ role: 'edge', processId: instance, appender },
    codec: codecs.of(processReports),
  });
  await startMetricsServer(foundation);
}

async function startBatchReader({ registry, logger, metrics, kept }: EdgeFoundation) {
  const schemaIds = await schemaIdsOf(agentTopics, registry);
  return kept('batch reader', createBatchReader({ schemaIds, logger, metrics }));
}

/** Metrics on a separate port, if configured. On the listener's port they need a token or a local client. */
async function startMetricsServer(foundation: EdgeFoundation): Promise<void> {
  const { EDGE_METRICS_PORT: port, EDGE_METRICS_HOST: host } = foundation.settings.edge;
  if (port !== undefined)
    await serveOperations(foundation, { host, port, portVariable: 'EDGE_METRICS_PORT' });
}
