import assert from 'node:assert/strict';
import { eventsComponent } from '../../../../agent/events/events-component.js';
import { memoryOutbox, startAgentWith } from '../../../support/agent-components.js';

describe('events at the agent', () => {
  const outbox = memoryOutbox();
  let agent: Awaited<ReturnType<typeof startAgentWith>>;
  before(async () => {
    agent = await startAgentWith([eventsComponent], outbox);
  });
  after(() => agent.stop());
  beforeEach(() => (outbox.taken.length = 0));

  const post = (body: unknown): Promise<Response> =>
    fetch(`${agent.url}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const taken = (): Record<string, unknown>[] =>
    outbox.taken.flatMap(({ items }) => items as Record<string, unknown>[]);

  it('are taken one by one or as an array, with the time at which they came', async () => {
    const before = Date.now();
    assert.equal((await post({ metric: 'a', type: 'gauge', value: 1.5, cluster: 'c' })).status, 200);
    const response = await post([
      { metric: 'b', type: 'increment' },
      { metric: 'b', type: 'decrement', value: 3, timestamp: new Date(before).toISOString() },
    ]);
    assert.deepEqual(await response.json(), { status: 'accepted' });
    const [a, b, c] = taken();
    assert.deepEqual(
      { ...a, timestamp: '' },
      { metric: 'a', type: 'gauge', value: 1.5, cluster: 'c', timestamp: '' },
    );
    assert.ok(Date.parse(String(a?.['timestamp'])) >= before);
    assert.deepEqual({ ...b, timestamp: '' }, { metric: 'b', type: 'increment', value: 1, timestamp: '' });
    assert.equal(Date.parse(String(c?.['timestamp'])), before);
  });

  it('of existing client libraries are accepted in a query string, without a key', async () => {
    for (const query of [
      '?method=increment&metric=visits',
      '?type=systembyte&metric=heap&value=1e%2B06',
      '?method=gauge&metric=t&value=-2',
    ]) {
      const response = await fetch(`${agent.url}/${query}`);
      assert.equal(response.status, 200, query);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
    assert.deepEqual(
      taken().map(({ metric, type, value }) => [metric, type, value]),
      [
        ['visits', 'increment', 1],
        ['heap', 'systembyte', 1_000_000],
        ['t', 'gauge', -2],
      ],
    );
  });

  it('are all refused if one is wrong, with every fault and its place', async () => {
    const response = await post([
      { metric: 'fine', type: 'gauge', value: 1 },
      { metric: '', type: 'percentage', value: 101 },
      7,
    ]);
    assert.equal(response.status, 422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/1/metric', '/1/value', '/2'],
    );
    assert.equal((await fetch(`${agent.url}/?method=nonsense&metric=a&value=1`)).status, 422);
    assert.deepEqual(taken(), []);
  });

  it('are limited to a thousand per request', async () => {
    const many = Array.from({ length: 1_001 }, () => ({ metric: 'a', type: 'increment' }));
    assert.equal((await post(many)).status, 422);
    assert.equal((await post(many.slice(1))).status, 200);
    assert.equal(taken().length, 1_000);
  });

  it('are not created by a request without an event in its query', async () => {
    const response = await fetch(`${agent.url}/`);
    assert.equal(((await response.json()) as { name: string }).name, 'telltale-agent');
    assert.deepEqual(taken(), []);
  });
});
