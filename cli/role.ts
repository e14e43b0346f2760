import { TelltaleError, reasonOf } from '../runtime/errors.js';
import { createHealth, type Health } from '../runtime/health.js';
import { createLifecycle, stopOnSignals, type Lifecycle } from '../runtime/lifecycle.js';
import { createLogger, type Logger } from '../runtime/logging.js';
import { collectProcessMetrics, createMetrics, type Metrics } from '../runtime/metrics.js';
import { loggingConfig, readConfig } from '../runtime/config.js';

/** What every process of the pipeline has, whatever its role. */
export interface RoleContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly lifecycle: Lifecycle;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs one role in this process: builds the context, starts the role, stops it on signals. If the role can't
 * start, one line says what to do, and the process ends with 1.
 */
export async function runRole(role: string, start: (context: RoleContext) => Promise<void>): Promise<void> {
  const environment = process.env;
  let logger: Logger | undefined;
  try {
    const logging = readConfig(loggingConfig, environment);
    logger = createLogger({ role, level: logging.LOG_LEVEL, format: logging.LOG_FORMAT });
    const metrics = createMetrics();
    collectProcessMetrics(metrics);
    const health = createHealth();
    const started = health.condition('process');
    const lifecycle = createLifecycle({ logger, health });
    stopOnSignals(lifecycle);
    endOnUnknownErrors(logger);
    await start({ logger, metrics, health, lifecycle, environment });
    started.met();
    logger.info({ event: 'process-started' }, 'started');
  } catch (error) {
    const line = { code: error instanceof TelltaleError ? error.code : 'UNKNOWN', cause: causeOf(error) };
    if (logger === undefined) process.stderr.write(`${role} can't start: ${reasonOf(error)}\n`);
    else logger.fatal({ event: 'start-failed', ...line }, `${role} can't start: ${reasonOf(error)}`);
    process.exit(1);
  }
}

/** Unknown errors are bugs or broken invariants: logs them and ends the process. A supervisor restarts it. */
function endOnUnknownErrors(logger: Logger): void {
  const end = (kind: string) => (error: unknown) => {
    logger.fatal({ event: 'unknown-error', kind, err: error }, 'an unknown error ends this process');
    process.exit(70);
  };
  process.on('uncaughtException', end('uncaughtException'));
  process.on('unhandledRejection', end('unhandledRejection'));
}

/** For a loop that can't continue: logs the error and ends the process, so a successor starts cleanly. */
export function exitWithError(logger: Logger): (error: Error) => void {
  return (error) => {
    logger.fatal(
      { event: 'process-gives-up', err: error },
      'this process exits so that a new one takes over',
    );
    process.exit(70);
  };
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : undefined;
}
