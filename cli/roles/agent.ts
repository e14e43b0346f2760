import { startAgent } from '../../agent/agent.js';
import { agentIdOf } from '../../agent/agent-id.js';
import { components } from '../../agent/components.js';
import { startReporter } from '../../agent/reporter.js';
import { openSettings } from '../../agent/settings/open-settings.js';
import { startForwarder } from '../../agent/forwarder/forwarder.js';
import { operationsConfig, readConfig } from '../../runtime/config.js';
import type { RoleContext } from '../role.js';

/** The agent as a process: settings, spool, forwarder, its components, and the port that serves them. */
export async function startAgentRole(context: RoleContext): Promise<void> {
  const { logger, metrics, lifecycle, environment } = context;
  const settings = await openSettings(environment, logger);
  lifecycle.register({ name: 'settings', stop: () => settings.stop() });
  const { config } = settings;
  const forwarder = await startForwarder({ config, logger, metrics });
  lifecycle.register({ name: 'forwarder', stop: () => forwarder.stop() });
  const { reports, hotThreads } = await startAgent({
    ...context,
    config,
    metricsToken: readConfig(operationsConfig, environment).METRICS_TOKEN,
    components,
    outbox: forwarder.outbox,
    status: () => ({ settings: settings.status(), ...forwarder.status() }),
  });
  const agentId = await agentIdOf(config.current().AGENT_FOLDER);
  const reporter = startReporter({ config, agentId, forwarder, components: reports, hotThreads, logger });
  lifecycle.register({ name: 'reporter', stop: () => reporter.stop() });
}
