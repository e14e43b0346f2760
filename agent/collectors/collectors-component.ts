import { dirname, join } from 'node:path';
import { reasonOf } from '../../runtime/errors.js';
import { followIntegrationFile } from '../integration/config/follow-integration-file.js';
import { readIntegrations } from '../integration/config/read-integrations.js';
import type { AgentContext, AgentComponent } from '../component.js';
import { seenNow } from '../settings/watched-file.js';
import { ClusterWatches } from './cluster-watches.js';
import { openKnownClusters } from './known-clusters.js';

/**
 * Watches the search clusters of integration.json. At the start, an invalid file is refused. If the file
 * becomes invalid later, that is reported, and the former clusters are still watched.
 */
export const collectorsComponent: AgentComponent = {
  name: 'collectors',
  async start(context) {
    const { AGENT_INTEGRATION_FILE: path, AGENT_FOLDER: own } = context.config.current();
    const watches = new ClusterWatches(context, await openKnownClusters(join(own, 'clusters.json')));
    const seen = seenNow(path);
    const { entries, warnings } = await readIntegrations(path);
    warnOf(context, warnings);
    await watches.start(entries, dirname(path));
    let rereading = Promise.resolve();
    let problem: string | null = null;
    const unwatch = followIntegrationFile(context.config, seen, (changed) => {
      rereading = rereading.then(async () => {
        problem = await reread(context, changed, watches);
      });
    });
    return {
      // Without `problem`, an operator whose file was refused would see the former clusters and no fault.
      status: () => ({ clusters: watches.status(), problem }),
      report: () => ({
        problem,
        clusters: watches.status().map(({ endpoint, cluster, state, reason }) => ({
          ...{ endpoint, cluster_uuid: cluster?.uuid ?? null, cluster_name: cluster?.name ?? null },
          ...{ state, reason },
        })),
      }),
      hotThreads: (clusterUuid, signal) => watches.hotThreads(clusterUuid, signal),
      async stop() {
        unwatch();
        await rereading;
        await watches.stop();
      },
    };
  },
};

/** Without a warning, a misspelt name would silently leave its default in force. */
function warnOf({ logger }: AgentContext, warnings: readonly string[]): void {
  for (const warning of warnings)
    logger.warn({ event: 'integration-member-unknown', warning }, 'integration.json has an unknown setting');
}

/** Returns why the file was refused; null if it was accepted. */
async function reread(context: AgentContext, path: string, watches: ClusterWatches): Promise<string | null> {
  const { logger } = context;
  try {
    const { entries, warnings } = await readIntegrations(path);
    warnOf(context, warnings);
    logger.info(
      { event: 'integration-changed', clusters: entries.map(({ url }) => url) },
      'integration.json has changed',
    );
    await watches.stop();
    await watches.start(entries, dirname(path));
    return null;
  } catch (error) {
    const reason = reasonOf(error);
    logger.error(
      { event: 'integration-refused', reason },
      'integration.json is not valid: the previous configuration stays in force',
    );
    return `integration.json is not valid, and the previous configuration stays in force: ${reason}`;
  }
}
