import { startAgent } from '../../agent/agent.js';
import { parts } from '../../agent/parts.js';
import { openSettings } from '../../agent/settings/open-settings.js';
import { startUplink } from '../../agent/uplink/uplink.js';
import { operationsConfig, readConfig } from '../../runtime/config.js';
import type { RoleContext } from '../role.js';

/** The agent as a process: settings, spool and uplink, then its parts, and the port in front of them. */
export async function startAgentRole(context: RoleContext): Promise<void> {
  const { logger, metrics, lifecycle, environment } = context;
  const settings = await openSettings(environment, logger);
  lifecycle.register({ name: 'settings', stop: () => settings.stop() });
  const { config } = settings;
  const uplink = await startUplink({ config, logger, metrics });
  lifecycle.register({ name: 'uplink', stop: () => uplink.stop() });
  await startAgent({
    ...context,
    config,
    metricsToken: readConfig(operationsConfig, environment).METRICS_TOKEN,
    parts,
    outlet: uplink.outlet,
    status: () => ({ settings: settings.status(), ...uplink.status() }),
  });
}
