import assert from 'node:assert/strict';
import { SearchCallError, type SearchFailure } from '../../../../../agent/collectors/client-port.js';
import {
  obstacleOfAnswer,
  obstacleOfFailure,
} from '../../../../../agent/integration/connection-test/obstacles.js';

const asked = {
  url: 'http://es:9200',
  authentication: { kind: 'api-key', key: 'not-a-secret' },
  requestTimeoutMs: 1_000,
} as never;

/** As 9.4.3 answers, with ids made up. */
const refusedKey = (tried: string) => ({
  status: 401,
  body: {
    error: { root_cause: [{ additional_unsuccessful_credentials: `API key: ${tried}` }] },
    status: 401,
  },
  bytes: 2,
});

describe('the message of a connection test about an API key that is refused', () => {
  it('is to create a new one where the cluster does not know it', () => {
    const { kind, message } = obstacleOfAnswer(refusedKey('unable to find apikey with id abc'), asked);
    assert.equal(kind, 'authentication_failed');
    assert.match(message, /Create a new one/);
  });

  it('is to ask again where a node that is starting could not look it up', () => {
    const tried = 'apikey authentication for id abc encountered a failure';
    const { kind, message } = obstacleOfAnswer(refusedKey(tried), asked);
    assert.equal(kind, 'authentication_failed');
    assert.match(message, /node has just started.*ask again.*never made a key: create one/);
    assert.doesNotMatch(message, /Create a new one|abc/);
  });
});

describe('the message of a connection test about a client certificate, which the agent never has', () => {
  for (const [how, failure, reason] of [
    // As OpenSSL, which is Node's, words the alerts of OpenSSL and of Java.
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
