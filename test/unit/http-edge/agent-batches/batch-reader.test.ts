import assert from 'node:assert/strict';
import { createBatchReader } from '../../../../http-edge/agent-batches/batch-reader.js';
import { agentTopics } from '../../../../http-edge/agent-batches/datasets.js';
import { Problem } from '../../../../runtime/http/problem.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics } from '../../../../runtime/metrics.js';

describe('a large batch of an agent', () => {
  it('is not blamed on the agent if the edge fails to read it, as the agent would then drop it', async () => {
    const schemaIds = Object.fromEntries(agentTopics.map(({ name }, index) => [name, index]));
    const reader = createBatchReader({ schemaIds, logger: silentLogger, metrics: createMetrics() });
    const unknown = { name: 'unknown', parse: () => ({ reason: '' }), records: () => [] };
    const context = { workspace: 'default', keyId: 'k', receivedAt: 0 };
    try {
      await assert.rejects(
        reader.read(Buffer.alloc(100_000, '\n'), unknown, context),
        (error) => error instanceof Error && !(error instanceof Problem),
      );
    } finally {
      await reader.stop();
    }
  });
});
