import assert from 'node:assert/strict';
import { edgeConfig } from '../../../../http-edge/config.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';
import { connectRaw, statusesIn } from '../../../support/raw-http.js';

describe('/metrics on the port that clients use', () => {
  let edge: EdgeInMemory;
  afterEach(() => edge.stop());

  const statusWith = async (...headers: readonly string[]): Promise<number> => {
    const raw = await connectRaw(edge.port);
    raw.send(['GET /metrics HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n'));
    return statusesIn(await raw.untilClosed())[0] ?? 0;
  };

  it('answers only programs on this machine if no token is set', async () => {
    edge = await startEdgeInMemory();
    assert.equal(await statusWith('Host: localhost:8080'), 200);
    assert.equal(await statusWith('Host: edge.example'), 403);
    for (const proxied of ['X-Forwarded-For: 10.1.2.3', 'Forwarded: for=10.1.2.3', 'Via: 1.1 proxy'])
      assert.equal(await statusWith('Host: localhost:8080', proxied), 403, proxied);
  });

  it('answers anyone with the token, from any host, if one is set', async () => {
    edge = await startEdgeInMemory({ metricsToken: 'open-sesame' });
    assert.equal(await statusWith('Host: localhost:8080'), 401);
    assert.equal(await statusWith('Host: localhost:8080', `Authorization: Bearer ${edge.token}`), 401);
    assert.equal(await statusWith('Host: edge.example', 'Authorization: Bearer open-sesame'), 200);
  });

  it('is not there if metrics have their own port', async () => {
    const { EDGE_METRICS_PORT } = edgeConfig.parse({ EDGE_METRICS_PORT: '0' });
    edge = await startEdgeInMemory({ config: { EDGE_METRICS_PORT } });
    assert.equal(await statusWith('Host: localhost:8080'), 404);
  });
});
