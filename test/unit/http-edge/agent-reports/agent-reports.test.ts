import assert from 'node:assert/strict';
import { agentReportBody } from '../../../support/agent-report-body.js';
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
      agentReportBody({
        agent_id: agentId,
        components: [{ name: 'traces', problem: 'x'.repeat(250_000) }],
      }),
      headers,
    );

  it("take at most 16 MiB per workspace of an edge's memory; known agents can still report", async () => {
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
