import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { connectRaw, postHead, statusesIn, type RawConnection } from '../../../support/raw-http.js';

const task = '/api/v1/monitoring/metrics/text-metrics/task';
const call = '/api/v1/monitoring/metrics/text-metrics';

describe('a server that is told to stop', () => {
  let edge: EdgeInMemory;
  let client: RawConnection;

  const start = async (drainMs: number): Promise<void> => {
    edge = await startEdgeInMemory({ config: { EDGE_DRAIN_TIMEOUT_MS: drainMs } });
    client = await connectRaw(edge.port);
  };
  afterEach(async () => {
    client.socket.destroy();
    await edge.stop();
  });
  const post = (path: string, body: string, length = body.length): string =>
    postHead(path, edge.token, [`Content-Length: ${length}`]) + body;
  const prompt = (text: string): string => JSON.stringify({ prompt: text });

  it('answers the next request of a client that is busy, and closes its connection after that', async () => {
    await start(240_000);
    client.send(post(task, prompt('first')));
    await client.until(/\}$/);
    assert.doesNotMatch(client.received(), /^connection: close/im);
    const stopped = edge.stop();
    client.send(post(task, prompt('second')));
    const received = await client.untilClosed();
    assert.deepEqual(statusesIn(received), [202, 202]);
    assert.equal(received.match(/^connection: close/gim)?.length, 1);
    assert.deepEqual(
      edge.ports.requests.map((request) => request.prompt),
      ['first', 'second'],
    );
    await stopped;
  });

  it('finishes sending an answer that a slow client has not read yet', async () => {
    await start(240_000);
    const reference = await (await edge.get('/openapi.json')).text();
    client.socket.pause();
    const asked = 100;
    client.send('GET /openapi.json HTTP/1.1\r\nHost: edge\r\n\r\n'.repeat(asked));
    while (!/requests_in_flight ([2-9]|\d\d)/.test(await (await edge.get('/metrics')).text())) await sleep(5);
    const stopped = edge.stop();
    await sleep(600);
    client.socket.resume();
    const received = await client.untilClosed();
    const answers = statusesIn(received);
    assert.ok(answers.length > 0);
    assert.equal(received.split(reference).length - 1, answers.length);
    await stopped;
  });

  it('takes no new connection, and closes idle ones', async () => {
    await start(240_000);
    const used = await connectRaw(edge.port);
    used.send(post(task, prompt('a')));
    await used.until(/\}$/);
    await edge.stop();
    assert.deepEqual(statusesIn(await used.untilClosed()), [202]);
    assert.equal(await client.untilClosed(), '');
    await assert.rejects(fetch(`${edge.url}/livez`));
  });

  it('answers 503 to requests that do not finish in time, and says that they may be tried again', async () => {
    await start(400);
    client.send(post(call, prompt('a')));
    while (edge.ports.expected.size === 0) await sleep(5);
    await edge.stop();
    const received = await client.untilClosed();
    assert.deepEqual(statusesIn(received), [503]);
    assert.match(received, /^retry-after: 1\r$/im);
    assert.equal(received.match(/^connection: close/gim)?.length, 1);
    assert.match(received, /urn:telltale:problem:unavailable.*nothing was promised/);
  });

  it('answers 503 to a body that does not arrive in full, and stores nothing of it', async () => {
    await start(400);
    client.send(post(task, prompt('a'), 1_000));
    while (!/requests_in_flight 2/.test(await (await edge.get('/metrics')).text())) await sleep(5);
    await edge.stop();
    assert.deepEqual(statusesIn(await client.untilClosed()), [503]);
    assert.deepEqual(edge.ports.requests, []);
  });

  it('closes a connection whose headers do not arrive in full', async () => {
    await start(400);
    client.send('POST / HTTP/1.1\r\nHost: e');
    await sleep(20);
    await edge.stop();
    assert.equal(await client.untilClosed(), '');
  });
});
