import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfig } from '../../../../agent/config.js';
import type { ConnectionTestResult } from '../../../../agent/integration/connection-test/result.js';
import type { HotThreads } from '../../../../agent/integration/connection-test/hot-threads.js';
import { connectionTestComponent } from '../../../../agent/integration/connection-test-component.js';
import type { ElasticsearchNode } from '../../../../stack/elasticsearch/elasticsearch.js';
import { startAgentWith } from '../../../support/agent-components.js';
import {
  skipUnlessTested,
  theElasticsearch,
  theSecureElasticsearch,
} from '../../../support/elasticsearch.js';
import { openSearchRoot } from '../../../support/opensearch-stub.js';
import {
  json,
  socketServer,
  tlsServer,
  webServer,
  type StrangeServer,
} from '../../../support/strange-servers.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const secret = 'never-to-be-shown';

describe('the connection test', function () {
  const folder = temporaryFolder();
  const stops: (() => Promise<unknown>)[] = [];
  let url = '';

  const write = (file: unknown): void => {
    const text = typeof file === 'string' ? file : JSON.stringify(file);
    writeFileSync(join(folder(), 'integration.json'), text);
  };
  const entry = (port: number, more: object = {}): object => ({
    service: 'elasticsearch',
    host: '127.0.0.1',
    port: String(port),
    requestTimeoutMs: 2_000,
    ...more,
  });
  const post = (): Promise<Response> => fetch(`${url}/integrations/elasticsearch/test`, { method: 'POST' });
  const result = async (file: unknown): Promise<ConnectionTestResult> => {
    write(file);
    const response = await post();
    assert.equal(response.status, 200);
    const text = await response.text();
    assert.equal(text.includes(secret), false, 'a secret was shown');
    return JSON.parse(text) as ConnectionTestResult;
  };
  const serving = async (server: Promise<StrangeServer>): Promise<number> => {
    const started = await server;
    stops.push(() => started.stop());
    return started.port;
  };
  const expect = (found: ConnectionTestResult, kind: string, cure: RegExp): void => {
    assert.deepEqual([found.ok, found.kind], [false, kind], found.message);
    assert.deepEqual([found.status, found.nodes], [null, null]);
    assert.match(found.message, cure);
  };

  beforeEach(async () => {
    const agent = await startAgentWith([connectionTestComponent], undefined, {
      AGENT_INTEGRATION_FILE: join(folder(), 'integration.json'),
    });
    url = agent.url;
    stops.push(() => agent.stop());
  });

  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  it('succeeds on a real cluster, and identifies it', async () => {
    const node = await theElasticsearch();
    const found = await result(entry(node.port, { requestTimeoutMs: 15_000 }));
    assert.deepEqual(Object.keys(found), [
      'ok',
      'kind',
      'clusterName',
      'version',
      'status',
      'nodes',
      'message',
    ]);
    const { message, status, ...rest } = found;
    assert.deepEqual(rest, { ok: true, kind: 'ok', clusterName: 'local', version: '7.17.15', nodes: 1 });
    assert.ok(status !== null);
    assert.match(message, /^Connected to cluster local \(7\.17\.15\): (green|yellow|red), 1 node\.$/);
  });

  it('answers an array with an array, in its order, and one object with one', async () => {
    const node = await theElasticsearch();
    const gone = await webServer(json(200, {}));
    await gone.stop();
    write([entry(gone.port), entry(node.port, { requestTimeoutMs: 15_000, monitor: false })]);
    const results = (await (await post()).json()) as ConnectionTestResult[];
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['connection_refused', 'ok'],
    );
    write([]);
    assert.deepEqual(await (await post()).json(), []);
  });

  it('answers 404 without a configuration, and 422 with an explanation of an invalid one', async () => {
    assert.equal((await post()).status, 404);
    assert.equal((await fetch(`${url}/integrations/elasticsearch/hot-threads`)).status, 404);
    write({ service: 'elasticsearch', port: '0', password: secret });
    const response = await post();
    assert.equal(response.status, 422);
    const { detail } = (await response.json()) as { detail: string };
    assert.match(detail, /integration\.json:1:1 \/host is missing[^]*\/port must be a port/);
    assert.equal(detail.includes(secret), false);
    for (const nothing of [null, [null]]) {
      write(nothing);
      assert.equal((await post()).status, 422, JSON.stringify(nothing));
    }
    const wrongMethod = await fetch(`${url}/integrations/elasticsearch/test`);
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'OPTIONS, POST']);
  });

  it('has its clusters listed by a check of the agent, which calls none of them', async () => {
    const check = async (): Promise<unknown> =>
      connectionTestComponent.check?.(
        agentConfig.parse({ AGENT_INTEGRATION_FILE: join(folder(), 'integration.json') }),
      );
    const file = join(folder(), 'integration.json');
    assert.deepEqual(await check(), {
      does: [`watches no search cluster: there is no ${file}`],
      problems: [],
    });
    write([entry(9200, { apiKey: `id:${secret}`, hots: 1 }), entry(9201, { monitor: false })]);
    const { does, problems } = (await check()) as { does: string[]; problems: string[] };
    assert.deepEqual(does, [
      'watches the search cluster at http://127.0.0.1:9200 (credentials: api-key)',
      'leaves the search cluster at http://127.0.0.1:9201 alone (monitor is false)',
    ]);
    assert.match(
      problems.join(),
      /^integration\.json:1:\d+ \/0\/hots is not known, and is ignored: did you mean host\?$/,
    );
    const tls = { ca: 'missing.crt' };
    const secure = { ...entry(9200), protocol: 'https' };
    write([{ ...secure, tls }, { ...secure, tls, verifyCertificate: false }, entry(9201, { tls })]);
    const { problems: untrusted } = (await check()) as { problems: string[] };
    assert.match(
      untrusted.join(),
      /^https:\/\/127\.0\.0\.1:9200: tls\.ca \(missing\.crt\) could not be used .*$/,
    );
    write({ service: 'elasticsearch', password: secret });
    const refused = (await check()) as { problems: string[] };
    assert.match(refused.problems.join(), /\/host is missing/);
    assert.equal(refused.problems.join().includes(secret), false);
  });

  it('says connection_refused if nothing listens', async () => {
    const gone = await webServer(json(200, {}));
    await gone.stop();
    const credentials = { username: 'u', password: secret };
    expect(
      await result(entry(gone.port, credentials)),
      'connection_refused',
      /ECONNREFUSED.*|Check host and port/,
    );
    expect(
      await result(entry(9200, { host: 'no-such-host.invalid', requestTimeoutMs: 240_000 })),
      'connection_refused',
      /name .* is not known/,
    );
    const hangsUp = await serving(socketServer((socket) => socket.once('data', () => socket.destroy())));
    expect(await result(entry(hangsUp)), 'connection_refused', /set protocol to "https"/);
  });

  it('says tls_error if the port speaks plain HTTP or the certificate is not trusted', async () => {
    const node = await theElasticsearch();
    expect(await result(entry(node.port, { protocol: 'https' })), 'tls_error', /set protocol to "http"/);
    const selfSigned = await serving(tlsServer(json(200, {}), 'selfSigned'));
    const https = { protocol: 'https', apiKey: `id:${secret}` };
    expect(await result(entry(selfSigned, https)), 'tls_error', /self-signed certificate.*Set tls\.ca/);
    const unreadable = await result(entry(selfSigned, { ...https, tls: { ca: 'not-there.pem' } }));
    expect(
      unreadable,
      'tls_error',
      /Note: tls\.ca \(not-there\.pem\) could not be used .*system's trust store/,
    );
  });

  it('says timeout if the port stays silent', async () => {
    const silent = await serving(socketServer());
    expect(
      await result(entry(silent, { requestTimeoutMs: 1_000 })),
      'timeout',
      /within 1000 ms.*raise requestTimeoutMs/,
    );
  });

  it('gives TLS all the time of a call, and then says that it was not enough', async () => {
    const silent = await serving(socketServer());
    const began = performance.now();
    const found = await result(entry(silent, { protocol: 'https', requestTimeoutMs: 1_000 }));
    expect(found, 'timeout', /within 1000 ms.*raise requestTimeoutMs/);
    assert.ok(performance.now() - began >= 999);
  });

  it('says unsupported_endpoint for OpenSearch, a web server, and a redirect', async () => {
    const openSearch = await serving(webServer(json(200, openSearchRoot)));
    expect(
      await result(entry(openSearch)),
      'unsupported_endpoint',
      /it is opensearch 2\.19\.6\. Elasticsearch 7\.x/,
    );
    const web = await serving(webServer((_, response) => response.end('<html>Welcome</html>')));
    expect(await result(entry(web)), 'unsupported_endpoint', /does not answer like a search cluster/);
    const lost = await serving(webServer((_, response) => response.writeHead(404).end('not here')));
    expect(await result(entry(lost)), 'unsupported_endpoint', /it answers 404/);
    const barred = await serving(webServer((_, response) => response.writeHead(403).end('<html>No</html>')));
    expect(await result(entry(barred)), 'unsupported_endpoint', /it answers 403/);
    const moved = await serving(
      webServer((_, response) =>
        response.writeHead(301, { location: 'https://elsewhere.example.org/' }).end(),
      ),
    );
    expect(await result(entry(moved)), 'unsupported_endpoint', /a redirect, which is not followed/);
  });

  const root = {
    cluster_name: 'shop',
    cluster_uuid: 'x',
    version: { number: '8.14.1' },
    tagline: 'You Know, for Search',
  };
  /** Answers the root with its identity, and everything else with `otherwise`. */
  const known = (otherwise: Parameters<typeof webServer>[0]): Promise<number> =>
    serving(
      webServer((request, response) =>
        (request.url === '/' ? json(200, root) : otherwise)(request, response),
      ),
    );

  for (const [type, status, told] of [
    ['master_not_discovered_exception', 503, /no master is elected/],
    ['cluster_block_exception', 503, /no master is elected/],
    ['null_pointer_exception', 500, /could not be read, as it answers 500 \(null_pointer_exception\)/],
  ] as const) {
    it(`is fine with a cluster that tells of ${type}, and says so`, async () => {
      const error = { type, reason: null };
      const port = await known(json(status, { error: { root_cause: [error], ...error }, status }));
      const found = await result(entry(port));
      assert.deepEqual([found.ok, found.clusterName, found.status, found.nodes], [true, 'shop', null, null]);
      assert.match(found.message, told);
    });
  }

  it('still names the cluster if a proxy lets only some calls through', async () => {
    for (const status of [403, 404]) {
      const port = await known((_, response) => response.writeHead(status).end('<html>No</html>'));
      const found = await result(entry(port));
      expect(found, 'unsupported_endpoint', /leads to cluster shop \(8\.14\.1\).*proxy/);
      assert.doesNotMatch(found.message, /is not a cluster/);
    }
  });

  it('gives the hot threads of a real cluster, on demand', async () => {
    const node = await theElasticsearch();
    write(entry(node.port, { requestTimeoutMs: 15_000 }));
    const response = await fetch(`${url}/integrations/elasticsearch/hot-threads`);
    const { ok, kind, hotThreads } = (await response.json()) as HotThreads;
    assert.deepEqual([response.status, ok, kind], [200, true, 'ok']);
    assert.match(hotThreads ?? '', /Hot threads at .*busiestThreads=3/);
  });

  it('does not take the page of a web server for hot threads', async () => {
    write(entry(await serving(webServer((_, response) => response.end('<html>Welcome</html>')))));
    const response = await fetch(`${url}/integrations/elasticsearch/hot-threads`);
    const { ok, kind, hotThreads } = (await response.json()) as HotThreads;
    assert.deepEqual([ok, kind, hotThreads], [false, 'unsupported_endpoint', null]);
  });

  // A real 8.14 if there is one; otherwise a stub with the answers that an 8.14.1 gave.
  describe('of a cluster with security', () => {
    interface Key {
      readonly id: string;
      readonly api_key: string;
      readonly encoded: string;
    }

    async function makeKey(node: ElasticsearchNode, cluster: readonly string[]): Promise<Key> {
      const body = { name: 'k', role_descriptors: { r: { cluster, indices: [] } } };
      return JSON.parse((await node.ask('POST', '/_security/api_key', { body })).text) as Key;
    }

    it('says authentication_failed for a wrong key, a wrong password, and no credentials', async function () {
      await skipUnlessTested(this, '8.14.1');
      const node = await theSecureElasticsearch();
      const { port } = node;
      const slow = { requestTimeoutMs: 15_000 };
      const none = await result(entry(port, slow));
      expect(none, 'authentication_failed', /none are configured: set apiKey/);
      const wrong = await result(entry(port, { ...slow, username: 'elastic', password: secret }));
      expect(wrong, 'authentication_failed', /does not accept the username with this password/);
      const withKey = entry(port, { ...slow, apiKey: `VuaCfGcBCdbkQm-e5aOx:${secret}` });
      await makeKey(node, []); // before the first key, a cluster has no index in which to look keys up
      let key = await result(withKey);
      await until('a node that has just started can check keys', async () => {
        key = await result(withKey);
        return !/could not check the API key/.test(key.message);
      });
      expect(key, 'authentication_failed', /does not accept the API key.*Create a new one/);
    });

    it('says permission_denied for a key that lacks cluster monitor, and ok for one that has it', async function () {
      await skipUnlessTested(this, '8.14.1');
      const node = await theSecureElasticsearch();
      const slow = { requestTimeoutMs: 15_000 };
      const poor = await makeKey(node, ['read_ilm']);
      const denied = await result(entry(node.port, { ...slow, apiKey: poor.encoded }));
      expect(denied, 'permission_denied', /cluster:monitor.*monitor.*remote_monitoring_collector/);
      assert.equal(denied.message.includes(poor.id), false);
      const rich = await makeKey(node, ['monitor']);
      const wrongUserToo = { username: 'nobody', password: 'wrong' };
      for (const apiKey of [rich.encoded, `${rich.id}:${rich.api_key}`]) {
        const found = await result(entry(node.port, { ...slow, ...wrongUserToo, apiKey }));
        assert.deepEqual([found.kind, found.version], ['ok', '8.14.1'], found.message);
      }
    });

    it('says the same if a stub replays the answers', async () => {
      const refusal = (type: string, reason: string, status: number): object => ({
        error: { root_cause: [{ type, reason }], type, reason },
        status,
      });
      const unknown = 'unable to authenticate user [elastic] for REST request [/]';
      const wrong = await serving(webServer(json(401, refusal('security_exception', unknown, 401))));
      const user = { username: 'elastic', password: secret };
      expect(await result(entry(wrong, user)), 'authentication_failed', /username with this password/);
      const lacking =
        'action [cluster:monitor/main] is unauthorized for user [u] with effective roles [r], ' +
        'this action is granted by the cluster privileges [monitor,manage,all]';
      const poor = await serving(webServer(json(403, refusal('security_exception', lacking, 403))));
      const denied = await result(entry(poor, user));
      expect(
        denied,
        'permission_denied',
        /may not do cluster:monitor\/main \(any of these would do: monitor, manage, all\)/,
      );
    });
  });
});
