import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NoAnswerInTime, openPeerClient } from '../../../../http-edge/peers/peer-client.js';
import { silentLogger } from '../../../../runtime/logging.js';

describe('a question to another edge', () => {
  const client = openPeerClient({ secret: 's', caFile: '', logger: silentLogger });
  after(() => client.stop());

  async function edgeThat(answer: RequestListener): Promise<{ url: string; stop: () => void }> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = (): void => {
      server.close();
      server.closeAllConnections();
    };
    return { url: `http://127.0.0.1:${port}`, stop };
  }

  it('tells an edge that is too slow from one that is gone', async () => {
    const { url, stop } = await edgeThat(() => undefined);
    await assert.rejects(client.send(url, '/', undefined, 20), NoAnswerInTime);
    stop();
    await assert.rejects(client.send(url, '/', undefined, 60_000), { code: 'ECONNREFUSED' });
  });

  it('limits the time until the end of the answer', async () => {
    const { url, stop } = await edgeThat((_, response) => void response.write('begun'));
    await assert.rejects(client.send(url, '/', undefined, 50), NoAnswerInTime);
    stop();
  });

  it('returns the text of a refusal', async () => {
    const { url, stop } = await edgeThat((_, response) => void response.writeHead(503).end('why'));
    const { status, body } = await client.send(url, '/', Buffer.from('question'));
    assert.deepEqual([status, body.toString()], [503, 'why']);
    stop();
  });
});
