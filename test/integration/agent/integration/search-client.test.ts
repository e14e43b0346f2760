import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { SearchFailure } from '../../../../agent/collectors/client-port.js';
import {
  createSearchClient,
  type CallOutcome,
  type OpenSearchClient,
  type SearchClientOptions,
} from '../../../../agent/integration/client/search-client.js';
import { parseIntegrations } from '../../../../agent/integration/config/integrations.js';
import { liveTrust } from '../../../../agent/integration/client/trust.js';
import { theElasticsearch } from '../../../support/elasticsearch.js';
import {
  json,
  socketServer,
  tlsServer,
  webServer,
  type StrangeServer,
} from '../../../support/strange-servers.js';
import { testCertificates } from '../../../support/test-certificates.js';

const password = 'a-password-to-keep';
const stops: (() => Promise<unknown>)[] = [];

async function clientOf(port: number, entry: object = {}, more: Partial<SearchClientOptions> = {}) {
  const file = {
    service: 'elasticsearch',
    host: '127.0.0.1',
    port: String(port),
    requestTimeoutMs: 2_000,
    ...entry,
  };
  const { entries } = parseIntegrations(JSON.stringify(file));
  const [integration] = entries;
  assert.ok(integration);
  const trust = liveTrust(integration, '.');
  await trust.now();
  const client = createSearchClient({ integration, trust, ...more });
  stops.push(() => client.close());
  return client;
}

async function serving(server: Promise<StrangeServer>): Promise<StrangeServer> {
  const started = await server;
  stops.push(() => started.stop());
  return started;
}

async function failureOf(
  client: OpenSearchClient,
  path = '/',
): Promise<{ failure: SearchFailure; message: string }> {
  const error: unknown = await client.get(path).then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  );
  const { failure, message } = error as { failure: SearchFailure; message: string };
  assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), new RegExp(password));
  return { failure, message };
}

describe('the client of a search cluster', () => {
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  it('calls a real cluster with compression, and counts its calls', async () => {
    const node = await theElasticsearch();
    const calls: CallOutcome[] = [];
    const client = await clientOf(
      node.port,
      { requestTimeoutMs: 15_000 },
      { onCall: (call) => calls.push(call) },
    );
    const { status, body } = await client.get('/_cluster/health?filter_path=status,number_of_nodes');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body as object).sort(), ['number_of_nodes', 'status']);
    const threads = await client.get('/_nodes/hot_threads');
    assert.match(String(threads.body), /Hot threads at/);
    const missing = await client.get('/no-such-index/_stats/docs');
    assert.equal(missing.status, 404);
    const explained = await client.explain({ index: 'no-such-index', shard: 0, primary: true });
    assert.ok(explained.status >= 400);
    assert.deepEqual(
      calls.map(({ call, outcome }) => `${call} ${outcome}`),
      [
        'GET /_cluster/health 200',
        'GET /_nodes/hot_threads 200',
        'GET /{indices}/_stats/{metrics} 404',
        `POST /_cluster/allocation/explain ${explained.status}`,
      ],
    );
    assert.ok(calls.every(({ bytes, ms }) => bytes > 0 && ms > 0));
  });

  it('sends only allowed calls, whatever it is asked for', async () => {
    const server = await serving(webServer(json(200, {})));
    const client = await clientOf(server.port);
    const piece = fc.constantFrom(
      '/',
      '_cluster',
      'state',
      '_search',
      '..',
      '%2e',
      'orders',
      '_stats',
      '_doc',
      '?q=1',
      '\r\n',
      '#',
      '*',
      '_all',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 7 }), async (pieces) => {
        await client.get(`/${pieces.join('')}`).catch((error: unknown) => {
          assert.equal((error as { code: string }).code, 'CALL_NOT_ALLOWED');
        });
      }),
      { numRuns: 1_500 },
    );
    await client.explain(undefined);
    await client.explain({ index: 'a', shard: 0, primary: true });
    const reads = /^GET \/(([^_?#\s][^/?#\s]*\/|_all\/)?_stats(\/[a-z_]+)?)?(\?.*)?$/;
    for (const request of server.requests.slice(0, -2)) assert.match(request, reads);
    for (const request of server.requests.slice(-2))
      assert.match(request, /^POST \/_cluster\/allocation\/explain\?filter_path=[\w.,]+$/);
    assert.ok(server.requests.length > 10, 'the property met allowed paths too');
  });

  it('sends credentials only to the configured address', async () => {
    const elsewhere = await serving(webServer(json(200, {})));
    const server = await serving(
      webServer((_, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
      }),
    );
    const client = await clientOf(server.port, { username: 'u', password });
    assert.equal((await client.get('/')).status, 302);
    assert.deepEqual(server.credentials, [`Basic ${Buffer.from(`u:${password}`).toString('base64')}`]);
    assert.deepEqual(elsewhere.requests, []);
  });

  it('sends an API key rather than a password', async () => {
    const server = await serving(webServer(json(200, {})));
    const client = await clientOf(server.port, { username: 'u', password, apiKey: 'id:key' });
    await client.get('/');
    assert.deepEqual(server.credentials, [`ApiKey ${Buffer.from('id:key').toString('base64')}`]);
  });

  it('cuts off an answer that is too long, even if only once inflated', async () => {
    let sent = 0;
    const endless = await serving(
      webServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 32))) sent += 65_536;
        };
        response.on('drain', more);
        more();
      }),
    );
    const bomb = await serving(
      webServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(50_000_000, 32)));
      }),
    );
    for (const { port } of [endless, bomb]) {
      const client = await clientOf(port, {}, { largestAnswer: 1_000_000 });
      assert.equal((await failureOf(client)).failure, 'too_large');
    }
    assert.ok(sent < 20_000_000, `${sent} bytes were taken`);
  });

  it('waits no longer than requestTimeoutMs, for the last byte too', async () => {
    const silent = await serving(socketServer());
    const slow = await serving(
      webServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    for (const { port } of [silent, slow]) {
      const client = await clientOf(port, { requestTimeoutMs: 300 });
      const { failure, message } = await failureOf(client, '/_cluster/health?x=1');
      assert.equal(failure, 'timeout');
      assert.match(message, /^GET \/_cluster\/health got no usable answer .*within 300 ms/);
    }
  });

  it('stops when the call is aborted', async () => {
    const silent = await serving(socketServer());
    const client = await clientOf(silent.port);
    const controller = new AbortController();
    const call = client.get('/', { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(call, { failure: 'aborted' });
    await assert.rejects(client.get('/', { signal: controller.signal }), { failure: 'aborted' });
  });

  it('says that nothing listens, or that a connection is closed at once', async () => {
    const gone = await webServer(json(200, {}));
    await gone.stop();
    for (const host of ['127.0.0.1', 'localhost']) {
      const refused = await failureOf(await clientOf(gone.port, { host, username: 'u', password }));
      assert.equal(refused.failure, 'connection_refused');
      assert.match(refused.message, /ECONNREFUSED/);
    }
    const unknown = await failureOf(
      await clientOf(9200, { host: 'no-such-host.invalid', requestTimeoutMs: 240_000 }),
    );
    assert.equal(unknown.failure, 'connection_refused');
    const closing = await serving(socketServer((socket) => socket.once('data', () => socket.destroy())));
    assert.equal((await failureOf(await clientOf(closing.port))).failure, 'connection_refused');
  });

  it('says what is wrong with TLS', async () => {
    const plain = await serving(webServer(json(200, {})));
    const https = { protocol: 'https', username: 'u', password };
    const toPlain = await failureOf(await clientOf(plain.port, https));
    assert.equal(toPlain.failure, 'tls_error');
    assert.match(toPlain.message, /wrong version number|packet length too long/);
    const selfSigned = await serving(tlsServer(json(200, {}), 'selfSigned'));
    assert.match(
      (await failureOf(await clientOf(selfSigned.port, https))).message,
      /self-signed certificate/,
    );
    const own = { ...https, tls: { ca: testCertificates.selfSigned.certificate } };
    const otherName = await failureOf(await clientOf(selfSigned.port, own));
    assert.equal(otherName.failure, 'tls_error');
    assert.match(otherName.message, /altnames|not in the cert's list/);
    const silent = await serving(socketServer());
    const noHandshake = await failureOf(await clientOf(silent.port, { ...https, requestTimeoutMs: 400 }));
    assert.equal(noHandshake.failure, 'timeout');
    assert.deepEqual(plain.requests, []);
  });

  it('trusts the given CA, or any certificate if configured to', async () => {
    const server = await serving(tlsServer(json(200, { fine: true })));
    const selfSigned = await serving(tlsServer(json(200, { fine: true }), 'selfSigned'));
    const https = { protocol: 'https' };
    const { authority } = testCertificates;
    for (const host of ['127.0.0.1', 'localhost']) {
      const client = await clientOf(server.port, { ...https, host, tls: { ca: authority } });
      assert.deepEqual((await client.get('/')).body, { fine: true });
    }
    assert.equal((await failureOf(await clientOf(server.port, https))).failure, 'tls_error');
    const careless = await clientOf(selfSigned.port, { ...https, verifyCertificate: false });
    assert.deepEqual((await careless.get('/')).body, { fine: true });
  });

  it('returns text if the answer is not JSON, and fails if it only claims to be JSON', async () => {
    const web = await serving(webServer((_, response) => response.end('<html>hello</html>')));
    assert.equal((await (await clientOf(web.port)).get('/')).body, '<html>hello</html>');
    const liar = await serving(
      webServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"secret": tru');
      }),
    );
    const { failure, message } = await failureOf(await clientOf(liar.port));
    assert.equal(failure, 'broken_answer');
    assert.doesNotMatch(message, /secret/);
    const short = await serving(
      webServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{', () => response.destroy());
      }),
    );
    assert.equal((await failureOf(await clientOf(short.port))).failure, 'broken_answer');
  });
});
