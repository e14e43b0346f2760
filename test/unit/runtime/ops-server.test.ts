import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TelltaleError } from '../../../runtime/errors.js';
import { operationsConfig } from '../../../runtime/config.js';
import { createHealth, type Health } from '../../../runtime/health.js';
import { silentLogger } from '../../../runtime/logging.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { connectRaw, statusesIn } from '../../support/raw-http.js';
import { startOpsServer, type OpsServer } from '../../../runtime/ops-server.js';

describe('operations endpoints', () => {
  const metrics = createMetrics();
  let health: Health;
  let server: OpsServer;

  const access = operationsConfig.parse({});
  const options = () => ({ port: 0, host: '127.0.0.1', health, metrics, logger: silentLogger, access });
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

  beforeEach(async () => {
    health = createHealth();
    server = await startOpsServer(options());
  });
  afterEach(() => server.stop());

  it('say that the process lives', async () => {
    assert.equal((await get('/livez')).status, 200);
  });

  it('are not ready, and say what they wait for, until every condition holds', async () => {
    const kafka = health.condition('kafka', 'connecting');
    const waiting = await get('/readyz');
    assert.equal(waiting.status, 503);
    assert.deepEqual(await waiting.json(), {
      status: 'not ready',
      waiting_for: { kafka: 'connecting' },
    });

    kafka.met();
    const ready = await get('/readyz');
    assert.equal(ready.status, 200);
    assert.deepEqual(await ready.json(), { status: 'ready', waiting_for: {} });
  });

  it('are not ready any more once the process stops', async () => {
    health.stopping();
    assert.equal((await get('/readyz')).status, 503);
    assert.equal((await get('/livez')).status, 200);
  });

  it('give the metrics as Prometheus reads them', async () => {
    metrics.counter('telltale_ops_tests_total', 'Of this test.').inc(3);
    const response = await get('/metrics');
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(await response.text(), /^telltale_ops_tests_total 3$/m);
  });

  it('give the metrics only to clients with the token, if one is set', async () => {
    await server.stop();
    server = await startOpsServer({
      ...options(),
      access: operationsConfig.parse({ METRICS_TOKEN: 'open-sesame' }),
    });
    const refused = await get('/metrics');
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
    assert.equal((await get('/metrics', { headers: { authorization: 'Bearer sesame' } })).status, 401);
    assert.equal((await get('/metrics', { headers: { authorization: 'Bearer open-sesame' } })).status, 200);
    assert.equal((await get('/readyz')).status, 200);
  });

  it('answer to loopback and configured host names, and to no other', async () => {
    await server.stop();
    server = await startOpsServer({
      ...options(),
      access: operationsConfig.parse({ OPERATIONS_ALLOWED_HOSTS: 'Sinks, sinks.internal' }),
    });
    const statusFor = async (...hosts: readonly string[]): Promise<number> => {
      const raw = await connectRaw(server.port);
      raw.send(
        ['GET /livez HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', ''].join(
          '\r\n',
        ),
      );
      return statusesIn(await raw.untilClosed())[0] ?? 0;
    };
    for (const host of ['localhost', '127.0.0.1:8091', '[::1]:8091', 'sinks:8091', 'SINKS.internal'])
      assert.equal(await statusFor(host), 200, host);
    for (const host of ['evil.example', 'evil.example:8091', '0.0.0.0', '10.1.2.3', ''])
      assert.equal(await statusFor(host), 421, host);
    assert.equal(await statusFor('localhost', 'evil.example'), 400);
    assert.equal(await statusFor(), 400);
  });

  it('know no other path, whatever the query string, and no other method', async () => {
    const elsewhere = await get('/');
    assert.equal(elsewhere.status, 404);
    assert.equal(elsewhere.headers.get('content-type'), 'application/problem+json');
    assert.equal(
      ((await elsewhere.json()) as { request_id: string }).request_id,
      elsewhere.headers.get('x-request-id'),
    );
    assert.equal((await get('/livez?x=1')).status, 200);
    const posted = await get('/livez', { method: 'POST' });
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.get('allow'), 'GET, HEAD');
  });

  it('open no tunnel, and ask for no body', async () => {
    const statusesOf = async (head: string): Promise<readonly number[]> => {
      const raw = await connectRaw(server.port);
      raw.send(`${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      return statusesIn(await raw.untilClosed());
    };
    assert.deepEqual(await statusesOf('CONNECT example.com:443 HTTP/1.1'), [501]);
    assert.deepEqual(
      await statusesOf('POST /livez HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 100'),
      [405],
    );
  });

  it('name the port and its variable if it is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      await assert.rejects(
        startOpsServer({ ...options(), port, portVariable: 'SINKS_PORT' }),
        (error) =>
          error instanceof TelltaleError &&
          error.code === 'PORT_BUSY' &&
          error.message.includes(String(port)) &&
          error.message.includes('SINKS_PORT'),
      );
    } finally {
      other.close();
    }
  });
});
