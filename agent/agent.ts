import { systemClock, type Clock } from '../runtime/clock.js';
import type { Health } from '../runtime/health.js';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Logger } from '../runtime/logging.js';
import type { Metrics } from '../runtime/metrics.js';
import { createIdentities } from './identities.js';
import { startListener } from './listener/listener.js';
import type { LiveConfig } from './live-config.js';
import { createDiagnostics } from './diagnostics.js';
import type { AgentContext, AgentComponent, ComponentReport, Outbox, RunningComponent } from './component.js';

export interface AgentOptions {
  readonly config: LiveConfig;
  readonly components: readonly AgentComponent[];
  readonly outbox: Outbox;
  /** What GET /status reports in addition to the components. */
  readonly status?: () => object;
  /** The token for `/metrics`; if empty, the agent's token applies. */
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
  /** Each component's report to the server, by the component's name. */
  readonly reports: () => ReadonlyMap<string, ComponentReport>;
  /** Asks the component that watches the cluster; undefined if none does. */
  readonly hotThreads: NonNullable<RunningComponent['hotThreads']>;
}

/** Starts the components, then the listener in front of them; registers both to be stopped, the listener first. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const { config, components, lifecycle, clock = systemClock } = options;
  const shared = { clock, diagnostics: createDiagnostics(), identities: createIdentities() };
  const running = new Map<string, RunningComponent>();
  for (const component of components) {
    const started = await component.start(contextOf(component, options, shared));
    lifecycle.register({ name: component.name, stop: () => started.stop() });
    running.set(component.name, started);
  }
  const startedAt = new Date().toISOString();
  const listener = await startListener({
    ...options,
    config,
    routes: [...running.values()].flatMap(({ routes = [] }) => routes),
    status: () => ({ started_at: startedAt, ...options.status?.(), parts: statusOf(running) }),
  });
  lifecycle.register({
    name: 'listener',
    maxStopMs: config.current().AGENT_DRAIN_TIMEOUT_MS,
    stop: () => listener.stop(),
  });
  return {
    url: listener.url,
    port: listener.port,
    reports: () => new Map([...running].map(([name, component]) => [name, component.report?.() ?? {}])),
    async hotThreads(clusterUuid, signal) {
      for (const component of running.values()) {
        const found = await component.hotThreads?.(clusterUuid, signal);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** The part of the context that all components share. */
type Shared = Pick<AgentContext, 'clock' | 'diagnostics' | 'identities'>;

function contextOf(component: AgentComponent, options: AgentOptions, shared: Shared): AgentContext {
  const { metrics, health, config, outbox, logger } = options;
  return { logger: logger.child({ component: component.name }), metrics, health, config, outbox, ...shared };
}

function statusOf(running: ReadonlyMap<string, RunningComponent>): object {
  return Object.fromEntries([...running].map(([name, component]) => [name, component.status()]));
}
