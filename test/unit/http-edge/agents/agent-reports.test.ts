import assert from 'node:assert/strict';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { keyRecord } from '../../../support/in-memory-ports.js';

const path = '/api/v1/agents';

describe('the reports of agents', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
    edge.ports.keys.set('other', keyRecord('other', 'x', ['agent'], { workspace: 'others' }));
  });
  after(() => edge.stop());

  const report = (agentId: string, headers: Record<string, string> = {}): Promise<Response> =>
    edge.post(
      path,
      {
        ...{
          agent_id: agentId,
          host: 'es1',
          version: '0.1.0',
          started_at: 0,
          every_seconds: 30,
          stopping: false,
        },
        spool: { bytes: 0, limit_bytes: 1, unsent_bytes: 0, oldest_at: null, oldest_unknown: null },
        ...{ datasets: [], clusters: [], connection_tests: [] },
        components: [{ name: 'traces', problem: 'x'.repeat(250_000) }],
      },
      headers,
    );

  it('take no more memory of an edge than 16 MiB a workspace; agents that are known go on', async () => {
    let taken = 0;
    while ((await report(`agent-${taken}`)).status === 204) taken += 1;
    assert.equal(taken, 67);
    const refused = await report('one-more');
    assert.equal(refused.status, 429);
    assert.match(((await refused.json()) as { detail: string }).detail, /data folder/);
    assert.equal((await report('agent-0')).status, 204);
    assert.equal((await report('one-more', { authorization: 'Bearer tt_other_x' })).status, 204);
  });
});
