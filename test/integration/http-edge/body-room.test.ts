import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { keyRecord } from '../../support/in-memory-ports.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { connectRaw, postHead, statusesIn, type RawConnection } from '../../support/raw-http.js';

const task = '/api/v1/monitoring/metrics/text-metrics/task';
const spans = '/api/v1/agent/spans';
const mebibyte = 1024 * 1024;

/** With these limits the room for bodies is the smallest possible; a single key gets half of it. */
const limits = {
  EDGE_BUFFER_BYTES: 1,
  EDGE_BODY_LIMIT_BYTES: mebibyte,
  EDGE_BATCH_LIMIT_BYTES: mebibyte,
  EDGE_AGENT_BODY_LIMIT_BYTES: mebibyte,
};

describe('the memory for request bodies on the edge', () => {
  let edge: EdgeInMemory;
  const open: RawConnection[] = [];

  beforeEach(async () => {
    edge = await startEdgeInMemory({ config: limits });
    edge.ports.keys.set('other', keyRecord('other', 'secret', ['metrics'], { workspace: 'other' }));
  });
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy();
    await edge.stop();
  });

  async function send(bytes: string): Promise<RawConnection> {
    const raw = await connectRaw(edge.port);
    open.push(raw);
    raw.send(bytes);
    return raw;
  }
  const unfinished = (path: string, bytes: number): Promise<RawConnection> =>
    send(postHead(path, edge.token, [`Content-Length: ${mebibyte}`]) + 'x'.repeat(bytes));
  const ofOther = async (): Promise<number> => {
    const headers = { authorization: 'Bearer tt_other_secret', 'content-type': 'application/json' };
    const response = await fetch(`${edge.url}${task}`, { method: 'POST', headers, body: '{"prompt":"a"}' });
    return response.status;
  };
  const inFlight = async (count: number): Promise<void> => {
    const pattern = new RegExp(`^telltale_http_requests_in_flight ${count + 1}$`, 'm');
    while (!pattern.test(await (await fetch(`${edge.url}/metrics`)).text()));
  };

  it('is not taken by lengths that are only announced', async () => {
    for (let at = 0; at < 20; at++) await unfinished(at % 2 === 0 ? spans : task, 0);
    await inFlight(10);
    assert.equal((await edge.post(task, { prompt: 'a' })).status, 202);
    assert.equal(await ofOther(), 202);
  });

  it('is shared among keys: only a key that has used up its share is refused', async () => {
    const crowd = [];
    for (let at = 0; at < 8; at++) crowd.push(await unfinished(task, mebibyte - 1));
    const refused = await Promise.any(crowd.map((raw) => raw.until(/"detail":"[^"]+"/)));
    assert.deepEqual(statusesIn(refused), [429]);
    assert.match(refused, /retry-after: 1\r\n/i);
    assert.equal(await ofOther(), 202);
  });

  it('is given back when a client goes away', async () => {
    for (let at = 0; at < 8; at++) await unfinished(task, mebibyte - 1);
    for (const { socket } of open.splice(0)) socket.destroy();
    await inFlight(0);
    const wide = JSON.stringify({ prompt: 'a', x: 'x'.repeat(mebibyte - 100) });
    assert.equal((await edge.post(task, wide)).status, 202);
  });

  it('is left for other workspaces, however many keys one workspace has', async () => {
    const keys = Array.from({ length: 40 }, (_, at) => `noisy${at}`);
    for (const key of keys) {
      edge.ports.keys.set(key, keyRecord(key, 'secret', ['metrics']));
      const head = postHead(task, `tt_${key}_secret`, [`Content-Length: ${mebibyte}`]);
      await send(head + 'x'.repeat(mebibyte - 1));
    }
    const headers = { authorization: 'Bearer tt_other_secret', 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'a', more: 'x'.repeat(mebibyte / 2) });
    const response = await fetch(`${edge.url}${task}`, { method: 'POST', headers, body });
    assert.equal(response.status, 202);
  });

  it('counts the inflated size of a compressed body, while it is inflated', async () => {
    const holding = await unfinished(task, mebibyte - 1);
    await inFlight(1);
    const bomb = gzipSync(Buffer.alloc(mebibyte, ' '));
    const post = () =>
      fetch(`${edge.url}${task}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${edge.token}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: bomb,
      });
    const statuses = (await Promise.all(Array.from({ length: 8 }, post))).map(({ status }) => status);
    assert.ok(statuses.includes(429), statuses.join());
    holding.socket.destroy();
    await inFlight(0);
    assert.equal((await post()).status, 400);
  });
});
