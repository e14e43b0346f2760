import assert from 'node:assert/strict';
import { pino } from 'pino';
import { keyRecord } from '../../support/in-memory-ports.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';

interface Problem {
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

describe('custom events at the edge', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
  });
  after(() => edge.stop());
  beforeEach(() => void edge.ports.events.splice(0));

  const query = (parameters: Readonly<Record<string, string>>, init: RequestInit = {}): Promise<Response> =>
    fetch(`${edge.url}/?${new URLSearchParams(parameters).toString()}`, { redirect: 'manual', ...init });
  const good = () => ({ apiKey: edge.token, metric: 'orders', type: 'increment', value: '2' });
  const problemOf = async (response: Response): Promise<Problem> => (await response.json()) as Problem;

  it('are accepted by one GET, exactly as sent', async () => {
    const answer = await query({ ...good(), cluster: 'eu 1' });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), '{"status":"accepted"}');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const [event] = edge.ports.events;
    const { received_at: at, ...rest } = event ?? assert.fail();
    assert.ok(Math.abs(at / 1_000 - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      workspace: 'acme',
      key_id: 'testkey',
      metric: 'orders',
      type: 'increment',
      value: 2,
      cluster: 'eu 1',
      occurred_at: at,
      source: 'edge',
    });
  });

  it('are refused with the parameter that is wrong', async () => {
    const wrong: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{ metric: '' }, '/metric'],
      [{ type: 'counter' }, '/type'],
      [{ value: 'many' }, '/value'],
      [{ value: '' }, '/value'],
      [{ value: 'Infinity' }, '/value'],
      [{ value: '1e999' }, '/value'],
      [{ type: 'percentage', value: '100.5' }, '/value'],
      [{ type: 'percentage', value: '-1' }, '/value'],
      [{ type: 'systembyte', value: '-1' }, '/value'],
      [{ cluster: 'x'.repeat(256) }, '/cluster'],
    ];
    for (const [change, pointer] of wrong) {
      const answer = await query({ ...good(), ...change });
      assert.equal(answer.status, 422, JSON.stringify(change));
      const problem = await problemOf(answer);
      assert.deepEqual(
        problem.errors?.map((error) => error.pointer),
        [pointer],
      );
      assert.ok(problem.detail.includes(`\`${pointer.slice(1)}\``), problem.detail);
    }
    const { type, value, ...only } = good();
    assert.deepEqual(
      (await problemOf(await query(only))).errors?.map(({ pointer }) => pointer),
      ['/type', '/value'],
    );
    const twice = await fetch(
      `${edge.url}/?${new URLSearchParams({ ...good(), type, value }).toString()}&type=gauge`,
    );
    assert.equal(twice.status, 422);
    assert.deepEqual(edge.ports.events, []);
  });

  it('need a key with the scope: 401 without one, 403 without the other', async () => {
    const { apiKey, ...keyless } = good();
    for (const key of ['', 'x', 'tt_testkey_wrong', `${apiKey}x`]) {
      const answer = await query({ ...keyless, apiKey: key });
      assert.equal(answer.status, 401, key);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
    assert.equal((await query(keyless)).status, 401);
    assert.equal((await query({ metric: 'only' })).status, 401);
    assert.equal((await fetch(`${edge.url}/?apiKey=${apiKey}&apiKey=${apiKey}&metric=m`)).status, 401);
    edge.ports.keys.set('reader', keyRecord('reader', 'secret', ['read', 'metrics', 'agent']));
    assert.equal((await query({ ...good(), apiKey: 'tt_reader_secret' })).status, 403);
    assert.deepEqual(edge.ports.events, []);
  });

  it('also take the key as a Bearer token, so that it need not be in a URL', async () => {
    const { apiKey, ...keyless } = good();
    const answer = await query(keyless, { headers: { authorization: `Bearer ${apiKey}` } });
    assert.equal(answer.status, 200);
    await answer.text();
    assert.equal(edge.ports.events.length, 1);
  });

  it('lead to the dashboard if none of their parameters is given', async () => {
    for (const path of ['/', '/?utm=1']) {
      const answer = await edge.get(path);
      assert.equal(answer.status, 302);
      assert.equal(answer.headers.get('location'), '/ui/');
    }
  });

  it('are not stored by a HEAD, which answers as the GET would', async () => {
    const answer = await query(good(), { method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.equal((await query({ ...good(), value: 'x' }, { method: 'HEAD' })).status, 422);
    assert.deepEqual(edge.ports.events, []);
  });

  it('are accepted by a POST of up to 1,000, all of them or none', async () => {
    const events = Array.from({ length: 1_000 }, (_, index) => ({
      metric: `m${index}`,
      type: 'gauge',
      value: index,
    }));
    const answer = await edge.post('/', events);
    assert.equal(await answer.text(), '{"status":"accepted"}');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(edge.ports.events.length, 1_000);
    edge.ports.events.splice(0);
    assert.equal((await edge.post('/', [...events, events[0]])).status, 422);
    const mixed = [events[0], { ...events[1], value: 'x' }, 7, { metric: 'm' }];
    const problem = await problemOf(await edge.post('/', mixed));
    assert.deepEqual(
      problem.errors?.map(({ pointer }) => pointer),
      ['/1/value', '/2', '/3/type', '/3/value'],
    );
    assert.equal((await edge.post('/', { metric: 'm', type: 'gauge', value: 1 })).status, 422);
    assert.equal((await edge.post('/', '[{')).status, 400);
    assert.equal((await edge.post('/', events, { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await edge.post('/', events, { authorization: '' })).status, 401);
    assert.deepEqual(edge.ports.events, []);
    assert.equal((await edge.post('/', [])).status, 200);
  });

  it('are stored once under an Idempotency-Key, and other events under it are a conflict', async () => {
    const events = [{ metric: 'm', type: 'gauge', value: 1 }];
    const key = { 'idempotency-key': 'of-this-array' };
    for (const again of [1, 2])
      assert.equal(await (await edge.post('/', events, key)).text(), '{"status":"accepted"}', String(again));
    assert.equal(edge.ports.events.length, 1);
    const other = await edge.post('/', [...events, ...events], key);
    assert.deepEqual([other.status, edge.ports.events.length], [409, 1]);
    assert.match((await problemOf(other)).detail, /Use a new key/);
    assert.equal((await edge.post('/', events, { 'idempotency-key': 'not one' })).status, 400);
    assert.equal((await edge.post('/', events, { 'idempotency-key': 'another' })).status, 200);
    assert.equal(edge.ports.events.length, 2);
  });

  it('are stored once under an Idempotency-Key in a query too', async () => {
    const ask = (value: string): Promise<Response> =>
      edge.get(`/?metric=m&type=increment&value=${value}`, { 'idempotency-key': 'of-this-query' });
    for (const again of [1, 2]) assert.equal((await ask('1')).status, 200, String(again));
    assert.equal(edge.ports.events.length, 1);
    assert.equal((await ask('2')).status, 409);
  });

  it('say when they happened if they come by POST', async () => {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    await edge.post('/', [{ metric: 'm', type: 'gauge', value: 1, timestamp }]);
    assert.equal(edge.ports.events[0]?.occurred_at, Date.parse(timestamp) * 1_000);
  });

  it('are refused with 503 and Retry-After while Kafka is down, and with 429 while too much comes in', async () => {
    edge.ports.failAppends('APPEND_TIMED_OUT');
    const away = await query(good());
    edge.ports.failAppends(undefined);
    assert.equal(away.status, 503);
    assert.ok(away.headers.get('retry-after'));
    edge.ports.setPressure({ soft: true });
    assert.equal((await query(good())).status, 429);
    edge.ports.setPressure({ soft: false });
    assert.equal((await query(good())).status, 200);
  });

  it('leave their key in no log line, no error body and no metric, whatever happens', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const watched = await startEdgeInMemory({ logger });
    const said: string[] = [];
    const key = encodeURIComponent(watched.token);
    const ask = async (target: string, init: RequestInit = {}): Promise<void> => {
      const answer = await fetch(`${watched.url}${target}`, { redirect: 'manual', ...init });
      said.push(JSON.stringify([...answer.headers]), await answer.text());
    };
    try {
      await ask(`/?apiKey=${key}&metric=m&type=gauge&value=1`);
      await ask(`/?apiKey=${key}&metric=${key}&type=${key}&value=${key}&cluster=${key}`);
      await ask(`/?apiKey=${key}&apiKey=${key}`);
      await ask(`/?apiKey=${key}x&metric=m&type=gauge&value=1`);
      await ask(`/?%61piKey=${key}&metric=%`);
      await ask(`/?apikey=${key}`);
      await ask(`/?apiKey=${key}`, { method: 'PUT' });
      await ask(`//?apiKey=${key}`);
      watched.ports.failAppends('STEP_FAILED');
      await ask(`/?apiKey=${key}&metric=m&type=gauge&value=1`);
      await ask('/metrics');
    } finally {
      await watched.stop();
    }
    assert.ok(lines.some((line) => line.includes('a request failed')));
    assert.ok(lines.filter((line) => line.includes('"answered"')).length >= 9);
    assert.doesNotMatch([...lines, ...said].join('\n'), /the-secret-of-the-test-key/);
  });
});
