import assert from 'node:assert/strict';
import { metricKeys } from '../../../schemas/metrics.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';

const scorers = '/api/v1/monitoring/metrics/scorers';

describe('the list of scorers', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
  });
  after(() => edge.stop());

  it('has the scorers that processors have reported, and lists the others as unreported', async () => {
    edge.ports.reported.set('text_toxicity', {
      metric: 'text_toxicity',
      version: 'toxicity-linear/4 all-MiniLM-L6-v2',
      models: ['all-MiniLM-L6-v2'],
      languages: ['en'],
      thresholds: { 'prompt.toxicity': 0.5 },
      needs: ['embedding model'],
      available: true,
      unavailable: null,
      reported_at: 1_700_000_000_123_456,
    });
    const body = (await (await edge.get(scorers)).json()) as { scorers: Record<string, unknown>[] };
    assert.deepEqual(
      body.scorers.map(({ metric }) => metric),
      metricKeys,
    );
    assert.deepEqual(body.scorers.at(-1), {
      metric: 'text_toxicity',
      title: 'text toxicity',
      path: '/api/v1/monitoring/metrics/text-toxicity',
      version: 'toxicity-linear/4 all-MiniLM-L6-v2',
      models: ['all-MiniLM-L6-v2'],
      languages: ['en'],
      thresholds: { 'prompt.toxicity': 0.5 },
      needs: ['embedding model'],
      available: true,
      unavailable: null,
      reported_at: '2023-11-14T22:13:20.123456Z',
    });
    assert.deepEqual(
      [body.scorers[0]?.['available'], body.scorers[0]?.['version'], body.scorers[0]?.['reported_at']],
      [false, null, null],
    );
  });

  it('may be read with the scope metrics or read, and no other', async () => {
    edge.ports.keys.set('reader', keyRecord('reader', 'secret', ['read']));
    edge.ports.keys.set('agent', keyRecord('agent', 'secret', ['agent']));
    const statusOf = async (token: string): Promise<number> =>
      (await edge.get(scorers, { authorization: `Bearer ${token}` })).status;
    assert.equal(await statusOf('tt_reader_secret'), 200);
    assert.equal(await statusOf('tt_agent_secret'), 403);
    assert.equal(await statusOf('nobody'), 401);
  });
});
