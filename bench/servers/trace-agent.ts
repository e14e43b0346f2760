import { agentConfig } from '../../agent/config.js';
import { startAgent } from '../../agent/agent.js';
import { liveConfig } from '../../agent/live-config.js';
import { traces } from '../../agent/traces/traces.js';
import { startForwarder } from '../../agent/forwarder/forwarder.js';
import { createHealth } from '../../runtime/health.js';
import { createLifecycle } from '../../runtime/lifecycle.js';
import { silentLogger as logger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';

export interface TraceAgentOptions {
  readonly folder: string;
}

/** An agent without a server: everything is spooled to disk. Answers `{ url, pid }` once it listens. */
async function start({ folder }: TraceAgentOptions): Promise<object> {
  const metrics = createMetrics();
  const health = createHealth();
  const lifecycle = createLifecycle({ logger, health });
  const config = liveConfig(
    agentConfig.parse({ AGENT_PORT: 0, AGENT_FOLDER: folder, AGENT_SPOOL_BYTES: 8 * 1024 ** 3 }),
  );
  const { outbox } = await startForwarder({ config, logger, metrics });
  const { url } = await startAgent({
    config,
    components: [traces],
    outbox,
    logger,
    metrics,
    health,
    lifecycle,
  });
  return { url, pid: process.pid };
}

process.once('message', (options: TraceAgentOptions) => {
  void start(options).then((started) => process.send?.(started));
});
