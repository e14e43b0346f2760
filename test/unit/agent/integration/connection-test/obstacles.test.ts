import assert from 'node:assert/strict';
import { obstacleOfAnswer } from '../../../../../agent/integration/connection-test/obstacles.js';

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
