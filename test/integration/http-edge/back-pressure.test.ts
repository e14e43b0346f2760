import assert from 'node:assert/strict';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';

const task = '/api/v1/monitoring/metrics/text-metrics/task';
const call = '/api/v1/monitoring/metrics/text-metrics';
const body = { prompt: 'a text' };

describe('the edge, when its dependencies are slow or down,', () => {
  let edge: EdgeInMemory;
  beforeEach(async () => {
    edge = await startEdgeInMemory();
  });
  afterEach(() => edge.stop());

  async function expectRefusal(response: Response, status: number): Promise<{ detail: string }> {
    assert.equal(response.status, status);
    if (status !== 504) assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    return (await response.json()) as { detail: string };
  }

  it('answers 429 over the soft bound, 503 over the hard one, and takes work again after', async () => {
    edge.ports.setPressure({ soft: true });
    await expectRefusal(await edge.post(task, body), 429);
    edge.ports.setPressure({ soft: true, hard: true });
    await expectRefusal(await edge.post(task, body), 503);
    edge.ports.setPressure({ soft: false, hard: false });
    assert.equal((await edge.post(task, body)).status, 202);
    assert.equal(edge.ports.requests.length, 1);
  });

  for (const code of ['BUFFER_FULL', 'APPEND_TIMED_OUT', 'APPEND_FAILED', 'KAFKA_UNREACHABLE'] as const)
    it(`answers 503 to ${code}, and says nothing of the inside`, async () => {
      edge.ports.failAppends(code);
      for (const response of [await edge.post(task, body), await edge.post(call, body)]) {
        const { detail } = await expectRefusal(response, 503);
        assert.doesNotMatch(detail, /kafka|buffer|topic/i);
      }
      assert.equal(edge.ports.expected.size, 0);
    });

  it('answers 500 to an unknown error, without its text', async () => {
    edge.ports.answerCalls(() => {
      throw new Error('a secret of the inside');
    });
    const response = await edge.post(call, body);
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /inside/);
  });

  it('answers within the time that a client wants to wait, even if its append is still under way', async () => {
    let release = (): void => undefined;
    edge.ports.holdCalls(new Promise((resolve) => (release = resolve)));
    const response = await edge.post(call, body, { prefer: 'wait=0.1' });
    assert.equal(response.status, 504);
    release();
  });

  it('answers 504 with the task endpoint if no reply came in time', async () => {
    const response = await edge.post(call, body, { prefer: 'wait=0.1' });
    const { detail } = await expectRefusal(response, 504);
    assert.ok(detail.includes(task));
    assert.equal(response.headers.get('preference-applied'), 'wait=0.1');
  });

  it('answers 503 with the reason if the metric cannot be computed', async () => {
    edge.ports.answerCalls(() => ({ result: null, error: 'no language model is configured' }));
    const { detail } = await expectRefusal(await edge.post(call, body), 503);
    assert.equal(detail, 'no language model is configured');
  });

  it('forgets the reply when the client goes away', async () => {
    const gone = new AbortController();
    const pending = fetch(`${edge.url}${call}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${edge.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: gone.signal,
    });
    while (edge.ports.expected.size === 0) await new Promise(setImmediate);
    gone.abort();
    await assert.rejects(pending);
    while (edge.ports.expected.size > 0) await new Promise(setImmediate);
    assert.match(await (await edge.get('/metrics')).text(), /status="499"\} 1/);
  });

  it('gives the same task for the same Idempotency-Key and body, 409 for another body', async () => {
    const key = { 'idempotency-key': 'order-7' };
    const first = (await (await edge.post(task, { prompt: 'a', x: 1 }, key)).json()) as { task_id: string };
    const again = await edge.post(task, { x: 2, prompt: 'a', response: null }, key);
    assert.equal(again.status, 202);
    assert.equal(((await again.json()) as { task_id: string }).task_id, first.task_id);
    const other = await edge.post(task, { prompt: 'b' }, key);
    assert.equal(other.status, 409);
    assert.ok(((await other.json()) as { detail: string }).detail.includes(first.task_id));
    assert.equal((await edge.post(task, { prompt: 'a' }, { 'idempotency-key': 'a b' })).status, 400);
    assert.equal(edge.ports.requests.length, 1);
  });

  it('limits the rate of a key if configured to', async () => {
    const limited = await startEdgeInMemory({ config: { EDGE_RATE_LIMIT_PER_SECOND: 1 }, clock: () => 0 });
    try {
      const first = await limited.post(task, body);
      assert.deepEqual([first.status, first.headers.get('ratelimit-remaining')], [202, '0']);
      const second = await limited.post(task, body);
      await expectRefusal(second, 429);
      assert.equal(second.headers.get('ratelimit-limit'), '1');
    } finally {
      await limited.stop();
    }
  });

  it('finishes what is in flight before it stops', async () => {
    edge.ports.answerCalls(() => undefined);
    const pending = edge.post(call, body, { prefer: 'wait=0.3' });
    while (edge.ports.expected.size === 0) await new Promise(setImmediate);
    await edge.stop();
    const response = await pending;
    assert.equal(response.status, 504);
    assert.equal(response.headers.get('connection'), 'close');
    await assert.rejects(fetch(`${edge.url}/livez`));
  });
});

describe('the requests in hand on the edge', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory({ config: { EDGE_REQUESTS_IN_FLIGHT: 4 } });
    edge.ports.keys.set('other', keyRecord('other', 'secret', ['metrics'], { workspace: 'other' }));
  });

  it('are bounded: a key over its share waits and is refused, another is not, and a call that waits does not count', async () => {
    let release = (): void => undefined;
    edge.ports.holdCalls(new Promise((resolve) => (release = resolve)));
    const calls = [1, 2].map(() => edge.post(call, body, { prefer: 'wait=30' }));
    while (edge.ports.expected.size < 2) await new Promise(setImmediate);
    const refused = await edge.post(task, body);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    const headers = { authorization: 'Bearer tt_other_secret', 'content-type': 'application/json' };
    const others = await fetch(`${edge.url}${task}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(others.status, 202);
    const waiting = edge.post(task, body);
    release();
    assert.equal((await waiting).status, 202);
    await edge.stop();
    await Promise.all(calls);
  });
});
