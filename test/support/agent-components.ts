import { agentConfig, type AgentConfig } from '../../agent/config.js';
import { liveConfig } from '../../agent/live-config.js';
import assert from 'node:assert/strict';
import type { AgentContext, AgentComponent, Dataset, Frames, Outbox } from '../../agent/component.js';
import { readFrame } from '../../agent/spool/frame.js';
import { startAgent } from '../../agent/agent.js';
import { createIdentities } from '../../agent/identities.js';
import { createDiagnostics } from '../../agent/diagnostics.js';
import { systemClock } from '../../runtime/clock.js';
import { TelltaleError } from '../../runtime/errors.js';
import { createHealth } from '../../runtime/health.js';
import { createLifecycle } from '../../runtime/lifecycle.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';

/** An outbox that records accepted items, and can be made to refuse items. */
export interface MemoryOutbox extends Outbox {
  readonly taken: { readonly dataset: Dataset; readonly items: readonly object[] }[];
  full: boolean;
}

export function memoryOutbox(): MemoryOutbox {
  return {
    taken: [],
    full: false,
    put(dataset, items) {
      if (this.full) return Promise.reject(new TelltaleError('SPOOL_FULL', { folder: 'spool', bytes: 0 }));
      this.taken.push({ dataset, items: 'bytes' in items ? itemsOf(items) : items });
      return Promise.resolve();
    },
    bytesCommitted(dataset) {
      return Promise.resolve(this.taken.filter((put) => put.dataset === dataset).length);
    },
  };
}

function itemsOf({ bytes }: Frames): readonly object[] {
  const items: object[] = [];
  for (let at = 0; at < bytes.length;) {
    const reading = readFrame(bytes, at);
    assert.ok(reading.kind === 'frame');
    const lines = reading.frame.lines.toString('utf8').trimEnd().split('\n');
    items.push(...lines.map((line) => JSON.parse(line) as object));
    at += reading.frame.size;
  }
  return items;
}

/** The context of a component, with an outbox in memory. */
export function agentContext(changes: Partial<AgentContext> = {}): AgentContext {
  return {
    logger: silentLogger,
    metrics: createMetrics(),
    health: createHealth(),
    clock: systemClock,
    config: liveConfig(agentConfig.parse({ AGENT_PORT: 0 })),
    outbox: memoryOutbox(),
    diagnostics: createDiagnostics(),
    identities: createIdentities(),
    ...changes,
  };
}

/** An agent on a free port with these components and nothing behind them. */
export async function startAgentWith(
  components: readonly AgentComponent[],
  outbox: Outbox = memoryOutbox(),
  config: Partial<AgentConfig> = {},
): Promise<{ readonly url: string; readonly port: number; stop(): Promise<void> }> {
  const health = createHealth();
  const lifecycle = createLifecycle({ logger: silentLogger, health });
  const { url, port } = await startAgent({
    ...agentContext({ outbox, health }),
    config: liveConfig({ ...agentConfig.parse({ AGENT_PORT: 0 }), ...config }),
    components,
    lifecycle,
  });
  return { url, port, stop: () => lifecycle.stop('the test is over') };
}
