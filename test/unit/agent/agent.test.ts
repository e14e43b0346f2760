import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { checkBodyHeaders, readBody } from '../../../runtime/http/body.js';
import { parseJson } from '../../../runtime/http/json-body.js';
import { openSpool } from '../../../agent/spool/spool.js';
import { silentLogger } from '../../../runtime/logging.js';
import { FaultyDisk } from '../../support/faulty-disk.js';
import type { AgentComponent } from '../../../agent/component.js';
import { agentContext, memoryOutbox, startAgentWith } from '../../support/agent-components.js';

const limit = 1_000;

/** Accepts JSON and puts it into the outbox: the smallest possible component. */
const echo: AgentComponent = {
  name: 'echo',
  start: ({ outbox }) =>
    Promise.resolve({
      routes: [
        {
          method: 'POST',
          pattern: '/echo/{name}',
          async handle(exchange, { name }) {
            checkBodyHeaders(exchange, limit);
            const item = parseJson(await readBody(exchange, limit)) as object;
            await outbox.put('events', [{ name, item }]);
            exchange.json(200, '{}');
          },
        },
      ],
      status: () => ({ works: true }),
      stop: () => Promise.resolve(),
    }),
};

const post = (
  url: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('an agent', () => {
  const outbox = memoryOutbox();
  let agent: Awaited<ReturnType<typeof startAgentWith>>;
  before(async () => {
    agent = await startAgentWith([echo], outbox);
  });
  after(() => agent.stop());
  beforeEach(() => {
    outbox.full = false;
    outbox.taken.length = 0;
  });

  it('says that it lives, that it is ready, and what its components do', async () => {
    for (const path of ['/livez', '/readyz', '/metrics'])
      assert.equal((await fetch(`${agent.url}${path}`)).status, 200, path);
    const status = (await (await fetch(`${agent.url}/status`)).json()) as { parts: object };
    assert.deepEqual(status.parts, { echo: { works: true } });
  });

  it('gives a component its request, with the path decoded', async () => {
    const response = await post(`${agent.url}/echo/b%C3%A4r`, '{"a":1}');
    assert.equal(response.status, 200);
    assert.deepEqual(outbox.taken, [{ dataset: 'events', items: [{ name: 'bär', item: { a: 1 } }] }]);
  });

  it('answers problems with their request id', async () => {
    const response = await post(`${agent.url}/echo/x`, '{', { 'x-request-id': 'mine' });
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    assert.equal(problem['request_id'], 'mine');
    assert.equal(problem['instance'], '/echo/x');
  });

  it('tells an unknown path from a wrong method and a badly encoded one', async () => {
    assert.equal((await fetch(`${agent.url}/nowhere`)).status, 404);
    const wrong = await fetch(`${agent.url}/echo/x`);
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'OPTIONS, POST');
    assert.equal((await post(`${agent.url}/echo/%zz`, '{}')).status, 400);
  });

  it('takes gzip, and measures a body after inflation too', async () => {
    const small = await post(`${agent.url}/echo/x`, gzipSync('{"a":1}'), { 'content-encoding': 'gzip' });
    assert.equal(small.status, 200);
    const bomb = gzipSync(JSON.stringify({ a: ' '.repeat(100_000) }));
    assert.ok(bomb.length < limit);
    assert.equal((await post(`${agent.url}/echo/x`, bomb, { 'content-encoding': 'gzip' })).status, 413);
    assert.equal((await post(`${agent.url}/echo/x`, '{}', { 'content-encoding': 'br' })).status, 415);
  });

  it('answers 503 with Retry-After if the spool is full', async () => {
    outbox.full = true;
    const response = await post(`${agent.url}/echo/x`, '{}');
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) >= 1);
    assert.equal(outbox.taken.length, 0);
  });
});

describe('an agent that receives more at once than its buffer holds', () => {
  it('answers 503, and accepts requests again when the others are done', async () => {
    const agent = await startAgentWith([echo], memoryOutbox(), {
      AGENT_BUFFER_BYTES: 1,
      AGENT_BODY_LIMIT_BYTES: 450,
    });
    try {
      const slow = request(`${agent.url}/echo/slow`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      const answered = once(slow, 'response');
      slow.write(`{"a":"${'x'.repeat(880)}`);
      const small = (): Promise<Response> => post(`${agent.url}/echo/x`, '{"a":"something else"}');
      let refused = await small();
      for (let tries = 0; refused.status === 200 && tries < 100; tries++) refused = await small();
      assert.equal(refused.status, 503);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      slow.end('"}');
      const [response] = (await answered) as [IncomingMessage];
      assert.equal(response.statusCode, 200);
      response.resume();
      await once(response, 'close');
      assert.equal((await small()).status, 200);
    } finally {
      await agent.stop();
    }
  });
});

describe('an agent on a full disk', () => {
  it('answers 503, writes nothing torn, and accepts requests again when there is room', async () => {
    const disk = new FaultyDisk(() => 3);
    const spool = await openSpool({ disk, folder: 'spool', bytes: 1_000_000, logger: silentLogger });
    const agent = await startAgentWith([echo], spool);
    try {
      disk.full = true;
      assert.equal((await post(`${agent.url}/echo/x`, '{"n":1}')).status, 503);
      disk.full = false;
      assert.equal((await post(`${agent.url}/echo/x`, '{"n":2}')).status, 200);
      const batch = await spool.sender('events').next({ bytes: 1_000_000, items: 10 });
      assert.equal(batch?.body.toString(), '{"name":"x","item":{"n":2}}\n');
    } finally {
      await agent.stop();
    }
  });
});

describe('an agent with a token', () => {
  let agent: Awaited<ReturnType<typeof startAgentWith>>;
  before(async () => {
    agent = await startAgentWith([echo], memoryOutbox(), { AGENT_TOKEN: 'open-sesame' });
  });
  after(() => agent.stop());

  it('refuses clients that do not present it', async () => {
    for (const authorization of ['', 'Bearer open', 'Basic open-sesame']) {
      const response = await post(`${agent.url}/echo/x`, '{}', { authorization });
      assert.equal(response.status, 401, authorization);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    }
    assert.equal((await fetch(`${agent.url}/status`)).status, 401);
  });

  it('accepts clients that present it, and answers health checks without it', async () => {
    const headers = { authorization: 'Bearer open-sesame' };
    assert.equal((await post(`${agent.url}/echo/x`, '{}', headers)).status, 200);
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(`${agent.url}${path}`)).status, 200);
  });
});

describe('a component', () => {
  it('needs nothing but its context', async () => {
    const running = await echo.start(agentContext());
    assert.deepEqual(running.status(), { works: true });
  });
});
