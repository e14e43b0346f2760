import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpointEmbedder } from '../../../../runtime/embedding/endpoint-embedder.js';

/** Speaks the embeddings protocol: a text's vector is its length and 1. Answers in reverse order. */
function embeddingsServer(asked: string[][], isBroken: () => boolean): Server {
  return createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      asked.push(input);
      if (isBroken()) response.statusCode = 400;
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: data.reverse(), model: 'm', usage: {} }));
    });
  });
}

describe('embeddings endpoint', () => {
  const asked: string[][] = [];
  let broken = false;
  const server = embeddingsServer(asked, () => broken);
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());
  beforeEach(() => asked.splice(0));

  const embedder = () =>
    endpointEmbedder({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: 'k',
      model: 'm',
      timeoutMs: 5000,
    });

  it('gives every text its own unit vectors, in the order of the texts', async () => {
    const [short, long] = await embedder().embed(['abc', 'x'.repeat(1500)]);
    assert.equal(short?.windows.length, 1);
    assert.equal(long?.windows.length, 3);
    assert.deepEqual(short.windows[0], Float32Array.from([3 / Math.sqrt(10), 1 / Math.sqrt(10)]));
    assert.deepEqual(asked, [['abc', 'x'.repeat(500), 'x'.repeat(500), 'x'.repeat(500)]]);
  });

  it('asks for a space if a text is empty, since the protocol refuses empty input', async () => {
    const [empty] = await embedder().embed(['']);
    assert.equal(empty?.windows.length, 1);
    assert.deepEqual(asked, [[' ']]);
  });

  it('leaves an endpoint alone for a while after it failed', async () => {
    broken = true;
    const resting = embedder();
    await assert.rejects(resting.embed(['a']), /400/);
    await assert.rejects(resting.embed(['b']), /400/);
    broken = false;
    await assert.rejects(resting.embed(['c']), /400/);
    assert.equal(asked.length, 1);
  });

  it('asks in several calls for many texts', async () => {
    const embedded = await embedder().embed(Array.from({ length: 300 }, () => 'a'));
    assert.equal(embedded.length, 300);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [128, 128, 44],
    );
  });
});
