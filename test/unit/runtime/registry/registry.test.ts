import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectRegistry, readSchema, type Registry } from '../../../../runtime/registry/registry.js';

const avsc = readSchema('api-key');

const connectTo = (url: string): Registry =>
  connectRegistry(
    { SCHEMA_REGISTRY_URL: url, SCHEMA_REGISTRY_USER: 'reader', SCHEMA_REGISTRY_PASSWORD: 'word' },
    { retries: 0 },
  );

describe('a schema registry', () => {
  let server: Server;
  let answer = { status: 200, body: '' };
  const credentials = new Set<string | undefined>();

  before(async () => {
    server = createServer((request, response) => {
      credentials.add(request.headers.authorization);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());

  const registry = () => connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  it('counts as down if the connection is refused', async () => {
    const away = connectTo('http://127.0.0.1:1');
    await assert.rejects(away.register('s-value', avsc), { code: 'REGISTRY_UNREACHABLE' });
    await assert.rejects(away.idOf('s-value', avsc), { code: 'REGISTRY_UNREACHABLE' });
    await assert.rejects(away.schemaOf(1), { code: 'REGISTRY_UNREACHABLE' });
  });

  it('counts as down if something in between answers', async () => {
    for (answer of [
      { status: 502, body: 'bad gateway' },
      { status: 404, body: 'not found' },
      { status: 200, body: '{}' },
    ]) {
      await assert.rejects(registry().schemaOf(1), { code: 'REGISTRY_UNREACHABLE' });
    }
  });

  it('is quoted if it refuses the user', async () => {
    answer = { status: 401, body: '{"error_code":401,"message":"who are you"}' };
    const refused = {
      code: 'REGISTRY_UNREACHABLE',
      message: /can't be used \(.*(401|who are you)\)/,
    };
    await assert.rejects(registry().idOf('s-value', avsc), refused);
    await assert.rejects(registry().schemaOf(1), refused);
  });

  it('is believed if it says that it has no such schema', async () => {
    answer = { status: 404, body: '{"error_code":40403,"message":"Schema not found"}' };
    assert.equal(await registry().schemaOf(1), undefined);
    answer = { status: 404, body: '{"error_code":40401,"message":"Subject not found"}' };
    await assert.rejects(registry().idOf('s-value', avsc), { code: 'SCHEMA_MISSING' });
  });

  it('is believed if it refuses a schema', async () => {
    answer = { status: 409, body: '{"error_code":409,"message":"incompatible"}' };
    await assert.rejects(registry().register('s-value', avsc), { code: 'SCHEMA_INCOMPATIBLE' });
  });

  it('gets credentials with every request: a user, or a token', async () => {
    assert.deepEqual([...credentials], [`Basic ${Buffer.from('reader:word').toString('base64')}`]);
    credentials.clear();
    const { port } = server.address() as AddressInfo;
    const byToken = connectRegistry(
      {
        SCHEMA_REGISTRY_URL: `http://127.0.0.1:${port}`,
        SCHEMA_REGISTRY_USER: '',
        SCHEMA_REGISTRY_PASSWORD: '',
        SCHEMA_REGISTRY_TOKEN: 'of-the-registry',
      },
      { retries: 0 },
    );
    await assert.rejects(byToken.register('s-value', avsc));
    await assert.rejects(byToken.schemaOf(1));
    assert.deepEqual([...credentials], ['Bearer of-the-registry']);
  });
});
