import { systemClock, type Clock } from '../runtime/clock.js';
import type { Health } from '../runtime/health.js';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Logger } from '../runtime/logging.js';
import type { Metrics } from '../runtime/metrics.js';
import { createIdentities } from './identities.js';
import { startListener } from './listener/listener.js';
import type { LiveConfig } from './live-config.js';
import { createNotes } from './notes.js';
import type { AgentContext, AgentPart, Outlet, RunningPart } from './part.js';

export interface AgentOptions {
  readonly config: LiveConfig;
  readonly parts: readonly AgentPart[];
  readonly outlet: Outlet;
  /** What GET /status says beside the parts. */
  readonly status?: () => object;
  /** What `/metrics` asks for; empty: the agent's token. */
  readonly metricsToken?: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly lifecycle: Lifecycle;
  readonly clock?: Clock;
}

export interface RunningAgent {
  readonly url: string;
  readonly port: number;
}

/** Starts the parts, then the port in front of them; registers both to be stopped, the port first. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const { config, parts, lifecycle, clock = systemClock } = options;
  const shared = { clock, notes: createNotes(), identities: createIdentities() };
  const running = new Map<string, RunningPart>();
  for (const part of parts) {
    const started = await part.start(contextOf(part, options, shared));
    lifecycle.register({ name: part.name, stop: () => started.stop() });
    running.set(part.name, started);
  }
  const startedAt = new Date().toISOString();
  const listener = await startListener({
    ...options,
    config,
    routes: [...running.values()].flatMap(({ routes = [] }) => routes),
    status: () => ({ started_at: startedAt, ...options.status?.(), parts: statusOf(running) }),
  });
  lifecycle.register({ name: 'listener', stop: () => listener.stop() });
  return listener;
}

/** What is the same for all parts, and theirs alone. */
type Shared = Pick<AgentContext, 'clock' | 'notes' | 'identities'>;

function contextOf(part: AgentPart, options: AgentOptions, shared: Shared): AgentContext {
  const { metrics, health, config, outlet, logger } = options;
  return { logger: logger.child({ part: part.name }), metrics, health, config, outlet, ...shared };
}

function statusOf(running: ReadonlyMap<string, RunningPart>): object {
  return Object.fromEntries([...running].map(([name, part]) => [name, part.status()]));
}
