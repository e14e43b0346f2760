import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { traces } from '../../../../agent/traces/traces.js';
import type { Outbox } from '../../../../agent/component.js';
import { startAgentWith } from '../../../support/agent-components.js';
import { damagedRequest } from '../../../support/otlp-mutations.js';
import { heapGrowth } from '../../../support/heap-growth.js';
import { runs } from '../../../support/properties.js';

const batch = 50;
const batches = runs(20);
const mostGrowth = 8;

describe('damaged trace requests', () => {
  const connections = new Agent({ keepAlive: true, maxSockets: 16 });
  const nowhere: Outbox = { put: () => Promise.resolve(), bytesCommitted: () => Promise.resolve(0) };
  let agent: Awaited<ReturnType<typeof startAgentWith>>;
  before(async () => {
    agent = await startAgentWith([traces], nowhere);
  });
  after(async () => {
    connections.destroy();
    await agent.stop();
  });

  function statusOf(body: Buffer, encoding: 'gzip' | 'identity'): Promise<number> {
    return new Promise((resolve, reject) => {
      const post = request(
        `${agent.url}/apm/fuzz/v1/traces`,
        {
          method: 'POST',
          agent: connections,
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      post.on('error', reject);
      post.end(encoding === 'gzip' ? gzipSync(body) : body);
    });
  }

  it('are answered 200 or 400, and leave nothing behind', async () => {
    const seen = new Map<number, number>();
    const send = async (bodies: readonly Buffer[]): Promise<void> => {
      const statuses = await Promise.all(
        bodies.map((body, index) => statusOf(body, index % 5 === 0 ? 'gzip' : 'identity')),
      );
      for (const status of statuses) {
        assert.ok(status === 200 || status === 400, String(status));
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    };
    const some = fc.array(damagedRequest(), { minLength: batch, maxLength: batch });
    await fc.assert(fc.asyncProperty(some, send), { numRuns: Math.ceil(batches / 4) });
    const grown = await heapGrowth(mostGrowth, () =>
      fc.assert(fc.asyncProperty(some, send), { numRuns: Math.ceil((batches / 4) * 3) }),
    );
    assert.ok(grown < mostGrowth, `the heap has grown by ${grown.toFixed(1)} MiB`);
    assert.ok(
      (seen.get(200) ?? 0) > 5 * batches && (seen.get(400) ?? 0) > 5 * batches,
      JSON.stringify([...seen]),
    );
  });
});
