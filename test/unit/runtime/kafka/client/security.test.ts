import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oauthTokens } from '../../../../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../../../../runtime/logging.js';

describe('tokens for Kafka', () => {
  let server: Server;
  let url = '';
  let asked: { authorization: string; body: string }[] = [];
  let status = 200;
  let now = 0;

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push({ authorization: request.headers.authorization ?? '', body });
        response.statusCode = status;
        response.end(JSON.stringify({ access_token: `token-${asked.length}`, expires_in: 100 }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  });
  beforeEach(() => {
    asked = [];
    status = 200;
    now = 0;
  });
  after(() => server.close());

  const open = () =>
    oauthTokens({ url, clientId: 'te:ll', clientSecret: 'ta le', scope: 'kafka' }, silentLogger, () => now);

  it('are asked for by client credentials, once for all who ask at the same time', async () => {
    const token = open();
    assert.deepEqual(await Promise.all([token(), token()]), ['token-1', 'token-1']);
    assert.deepEqual(asked, [
      {
        authorization: `Basic ${Buffer.from('te%3All:ta+le').toString('base64')}`,
        body: 'grant_type=client_credentials&scope=kafka',
      },
    ]);
  });

  it('are kept for most of their lifetime, then renewed', async () => {
    const token = open();
    await token();
    now = 79_000;
    assert.equal(await token(), 'token-1');
    now = 81_000;
    assert.equal(await token(), 'token-2');
  });

  it('are used until they expire while the endpoint gives no new one, and no longer', async () => {
    const token = open();
    await token();
    status = 503;
    now = 99_000;
    assert.equal(await token(), 'token-1');
    now = 100_000;
    await assert.rejects(token(), { code: 'KAFKA_TOKEN_REFUSED' });
    status = 200;
    assert.match(await token(), /^token-/);
  });
});
