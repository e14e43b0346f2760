import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { TelltaleError } from '../../../runtime/errors.js';
import { isPortFree, pickFreePort, requireFreePort } from '../../../stack/ports.js';

describe('ports of the local stack', () => {
  let taken: Server;
  let port: number;

  before(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    ({ port } = taken.address() as AddressInfo);
  });
  after(() => void taken.close());

  it('are refused when another process listens there, naming the port and its variable', async () => {
    assert.equal(await isPortFree(port), false);
    await assert.rejects(requireFreePort(port, 'Kafka', 'KAFKA_PORT'), (error) => {
      assert.ok(error instanceof TelltaleError);
      assert.equal(error.code, 'PORT_BUSY');
      for (const word of [String(port), 'Kafka', 'KAFKA_PORT']) assert.ok(error.message.includes(word));
      return true;
    });
  });

  it('are picked free, different, and below those that the system hands out', async () => {
    const picked = await Promise.all(Array.from({ length: 20 }, () => pickFreePort()));
    assert.equal(new Set(picked).size, picked.length);
    assert.ok(picked.every((each) => each < 32_768));
    for (const each of picked) await requireFreePort(each, 'a server', 'A_PORT');
  });
});
