import { operationsConfig, readConfig } from '../../runtime/config.js';
import { startOpsServer, type OpsServerOptions } from '../../runtime/ops-server.js';
import type { RoleContext } from '../role.js';

/** Serves the health and metrics of a process on a separate port. */
export async function serveOperations(
  { logger, metrics, health, lifecycle, environment }: RoleContext,
  listener: Pick<OpsServerOptions, 'host' | 'port' | 'portVariable'>,
): Promise<void> {
  const access = readConfig(operationsConfig, environment);
  lifecycle.register(await startOpsServer({ ...listener, access, health, metrics, logger }));
}
