import type { Health } from './health.js';
import type { Logger } from './logging.js';
import { reasonOf } from './errors.js';

/** A component of a process that must be stopped; components are stopped in the reverse order of their registration. */
export interface Stoppable {
  readonly name: string;
  /** How long its stop may take by its settings, milliseconds. */
  readonly maxStopMs?: number;
  stop(): Promise<void> | void;
}

export interface Lifecycle {
  register(component: Stoppable): void;
  /** Not ready → stop accepting → drain → flush → commit → disconnect. Repeated calls share one run. */
  stop(why: string): Promise<void>;
}

export interface LifecycleOptions {
  readonly logger: Logger;
  readonly health: Health;
}

/**
 * Milliseconds after which components that have not stopped are abandoned; nothing acknowledged depends on
 * them. If a component may take longer by its settings, the others get `besideMs` in addition to that.
 */
const deadlineMs = 10_000;
const besideMs = 2_000;

export function createLifecycle({ logger, health }: LifecycleOptions): Lifecycle {
  const components: Stoppable[] = [];
  let running: Promise<void> | undefined;

  const stopAll = async (why: string): Promise<void> => {
    health.stopping();
    logger.info({ event: 'process-stopping', why }, 'stopping');
    for (const component of components.reverse()) {
      try {
        await component.stop();
      } catch (error) {
        logger.error(
          { event: 'component-stop-failed', part: component.name, reason: reasonOf(error) },
          'a component did not stop cleanly',
        );
      }
    }
    logger.info({ event: 'process-stopped' }, 'stopped');
  };

  return {
    register: (component) => void components.push(component),
    stop(why) {
      const longest = Math.max(0, ...components.map(({ maxStopMs = 0 }) => maxStopMs));
      running ??= Promise.race([stopAll(why), deadline(Math.max(deadlineMs, longest + besideMs), logger)]);
      return running;
    },
  };
}

/** Independent components. They are stopped concurrently, because each can wait for its work in progress. */
export interface StoppedTogether extends Stoppable {
  add(component: Stoppable): void;
  stop(): Promise<void>;
}

export function stoppedTogether(name: string): StoppedTogether {
  const components: Stoppable[] = [];
  return {
    name,
    add: (component) => void components.push(component),
    async stop() {
      const ends = await Promise.allSettled(components.map(async (component) => component.stop()));
      const failed = ends.flatMap((end, index) =>
        end.status === 'rejected' ? [`${components[index]?.name ?? ''}: ${reasonOf(end.reason)}`] : [],
      );
      if (failed.length > 0) throw new Error(failed.join('; '));
    },
  };
}

async function deadline(ms: number, logger: Logger): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  logger.error({ event: 'stop-deadline-passed', ms }, 'the deadline for stopping has passed');
}

/** SIGTERM and SIGINT stop the process cleanly; a second signal ends it at once. */
export function stopOnSignals(lifecycle: Lifecycle): void {
  let asked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(130);
    asked = true;
    void lifecycle.stop(signal).finally(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
