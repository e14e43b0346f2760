import { dirname } from 'node:path';
import { reasonOf } from '../../runtime/errors.js';
import { followIntegrationFile } from '../integration/config/follow-integration-file.js';
import { readIntegrations } from '../integration/config/read-integrations.js';
import type { AgentContext, AgentPart } from '../part.js';
import { seenNow } from '../settings/watched-file.js';
import { ClusterWatches } from './cluster-watches.js';

/**
 * Watches the search clusters of integration.json. At the start a file that is not valid is refused; one that becomes
 * so later is told of, and the clusters of before are watched on.
 */
export const collectorsPart: AgentPart = {
  name: 'collectors',
  async start(context) {
    const path = context.config.current().AGENT_INTEGRATION_FILE;
    const watches = new ClusterWatches(context);
    const seen = seenNow(path);
    const { entries, warnings } = await readIntegrations(path);
    warnOf(context, warnings);
    await watches.start(entries, dirname(path));
    let turn = Promise.resolve();
    const unwatch = followIntegrationFile(context.config, seen, (changed) => {
      turn = turn.then(() => reread(context, changed, watches));
    });
    return {
      status: () => ({ clusters: watches.status() }),
      async stop() {
        unwatch();
        await turn;
        await watches.stop();
      },
    };
  },
};

/** A name that is misspelt would else leave its default in force without a word. */
function warnOf({ logger }: AgentContext, warnings: readonly string[]): void {
  for (const warning of warnings) logger.warn({ warning }, 'a member of integration.json means nothing');
}

async function reread(context: AgentContext, path: string, watches: ClusterWatches): Promise<void> {
  const { logger } = context;
  try {
    const { entries, warnings } = await readIntegrations(path);
    warnOf(context, warnings);
    logger.info({ clusters: entries.map(({ url }) => url) }, 'integration.json has changed');
    await watches.stop();
    await watches.start(entries, dirname(path));
  } catch (error) {
    logger.error({ reason: reasonOf(error) }, 'integration.json is not taken: what it said before goes on');
  }
}
