import { eventsComponent } from '../../agent/events/events-component.js';
import type { Outbox } from '../../agent/component.js';
import { encodeFrames } from '../../agent/spool/frame.js';
import { traces } from '../../agent/traces/traces.js';
import { createBatchReader } from '../../http-edge/agent-batches/batch-reader.js';
import { agentTopics } from '../../http-edge/agent-batches/datasets.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { startAgentWith } from './agent-components.js';
import { startEdgeInMemory } from './edge-in-memory.js';
import { meterTurns } from './turn-meter.js';

/** The process's message once both servers listen. */
export interface MeteredServers {
  readonly edge: string;
  readonly agent: string;
  readonly token: string;
}

/** An edge and an agent with nothing behind them. The process meters its turns and reports on any message. */
const written: Outbox = {
  put(_, items) {
    if (!('bytes' in items)) encodeFrames(items);
    return Promise.resolve();
  },
  bytesCommitted: () => Promise.resolve(0),
};

const schemaIds = Object.fromEntries(agentTopics.map(({ name }) => [name, 1]));
const reader = { schemaIds, logger: silentLogger, metrics: createMetrics() };
const edge = await startEdgeInMemory({ batchReader: createBatchReader(reader) });
const agent = await startAgentWith([traces, eventsComponent], written);
const meter = meterTurns();
process.on('message', () => {
  process.send?.(meter.largest());
  meter.reset();
});
process.on('disconnect', () => process.exit());
process.send?.({ edge: edge.url, agent: agent.url, token: edge.token } satisfies MeteredServers);
