import assert from 'node:assert/strict';
import { SearchCallError, type SearchFailure } from '../../../../../agent/collectors/client-port.js';
import {
  obstacleOfAnswer,
  obstacleOfFailure,
} from '../../../../../agent/integration/connection-test/obstacles.js';
import { testConnection } from '../../../../../agent/integration/connection-test/test-connection.js';

const tagline = 'You Know, for Search';
const asked = {
  url: 'http://es:9200',
  authentication: { kind: 'api-key', key: 'not-a-secret' },
  requestTimeoutMs: 1_000,
} as never;

/** The answer of 9.4.3, with made-up ids. */
const refusedKey = (tried: string) => ({
  status: 401,
  body: {
    error: { root_cause: [{ additional_unsuccessful_credentials: `API key: ${tried}` }] },
    status: 401,
  },
  bytes: 2,
});

describe('the message of a connection test about an API key that is refused', () => {
  it('says to create a new one if the cluster does not know it', () => {
    const { kind, message } = obstacleOfAnswer(refusedKey('unable to find apikey with id abc'), asked);
    assert.equal(kind, 'authentication_failed');
    assert.match(message, /Create a new one/);
  });

  it('says to ask again if a node that is starting could not look it up', () => {
    const tried = 'apikey authentication for id abc encountered a failure';
    const { kind, message } = obstacleOfAnswer(refusedKey(tried), asked);
    assert.equal(kind, 'authentication_failed');
    assert.match(message, /node has just started.*try again.*no API keys yet: create one/);
    assert.doesNotMatch(message, /Create a new one|abc/);
  });
});

describe('a connection test of a cluster that gives no details of errors', () => {
  it('says permission_denied, with what is lacking', () => {
    const error =
      'ElasticsearchSecurityException[action [cluster:monitor/main] is unauthorized for user [anna], this action is granted by the cluster privileges [monitor,manage,all]]';
    const { kind, message } = obstacleOfAnswer(
      { status: 403, body: { error, status: 403 }, bytes: 2 },
      asked,
    );
    assert.equal(kind, 'permission_denied');
    assert.match(message, /may not do cluster:monitor\/main .*monitor, manage, all/);
    assert.doesNotMatch(message, /anna/);
  });

  it('succeeds even if the cluster has no master, and says so', async () => {
    const bodies = [
      {
        status: 200,
        body: { cluster_name: 'shop', cluster_uuid: 'x', version: { number: '7.17.15' }, tagline },
        bytes: 2,
      },
      { status: 503, body: { error: 'MasterNotDiscoveredException[null]', status: 503 }, bytes: 2 },
    ];
    const get = () => Promise.resolve(bodies.shift() ?? assert.fail('two calls'));
    const client = { get, explain: () => Promise.reject(new Error('never asked')) };
    const found = await testConnection({ integration: asked, client, diagnostic: undefined });
    assert.deepEqual([found.ok, found.status], [true, null]);
    assert.match(found.message, /no master is elected/);
  });
});

describe('the message of a connection test about a client certificate, which the agent never has', () => {
  for (const [how, failure, reason] of [
    // The wording of Node's OpenSSL for alerts from OpenSSL and from Java.
    ['OpenSSL, TLS 1.3', 'tls_error', 'tlsv13 alert certificate required'],
    ['Java', 'tls_error', 'sslv3 alert bad certificate'],
    ['OpenSSL, TLS 1.2', 'tls_error', 'sslv3 alert handshake failure'],
    [
      'who hangs up in the handshake',
      'tls_error',
      'Client network socket disconnected before secure TLS connection was established',
    ],
    ['who hangs up after it', 'connection_refused', 'other side closed'],
  ] as const satisfies readonly (readonly [string, SearchFailure, string])[]) {
    it(`says that one is asked for, or may be (${how})`, () => {
      const call = new SearchCallError('GET /', failure, reason);
      const { kind, message } = obstacleOfFailure(call, {
        ...(asked as object),
        url: 'https://es:9200',
      } as never);
      assert.equal(kind, failure);
      assert.match(message, /client certificate, which the agent does not have/);
    });
  }
});
