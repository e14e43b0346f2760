import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, get, type Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import { silentLogger } from '../../../../runtime/logging.js';
import { reloadingAgent } from '../../../../runtime/tls/reloading-agent.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { testCertificates } from '../../../support/test-certificates.js';

const { authority, server: own, clients } = testCertificates;

describe('HTTPS connections whose files are renewed', () => {
  const folder = temporaryFolder();
  const fileOf = (name: string, text: string): string => {
    const path = join(folder(), name);
    writeFileSync(path, text);
    return path;
  };

  /** Answers with the name in the client's certificate, or with nothing if there is none. */
  const server = createServer({
    ...{ cert: own.certificate, key: own.key, ca: clients.authority },
    ...{ requestCert: true, rejectUnauthorized: false },
  });
  const nameIn = ({ subject }: Partial<PeerCertificate>): string => String(subject?.CN ?? '');
  server.on('request', ({ socket }, answer) => {
    assert.ok(socket instanceof TLSSocket);
    answer.end(nameIn(socket.getPeerCertificate()));
  });
  before(async () => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => server.close());

  async function askedThrough(agent: Agent): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const request = get({ host: '127.0.0.1', port, agent });
    const [answer] = (await once(request, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const chunk of answer) text += chunk.toString();
    return text;
  }

  it('begin with the certificate that its file has now', async () => {
    const agent = reloadingAgent(
      {
        ca: fileOf('ca.pem', authority),
        certificate: fileOf('client.pem', clients.edge.certificate),
        key: fileOf('client.key', clients.edge.key),
      },
      silentLogger,
    );
    const before = await askedThrough(agent);
    fileOf('client.pem', clients.renewed.certificate);
    fileOf('client.key', clients.renewed.key);
    const renewed = await askedThrough(agent);
    assert.deepEqual([before, renewed], ['telltale-edge', 'telltale-renewed']);
  });

  it('trust the authority that its file has now', async () => {
    const agent = reloadingAgent({ ca: fileOf('authority.pem', clients.authority) }, silentLogger);
    await assert.rejects(askedThrough(agent), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    fileOf('authority.pem', authority);
    assert.equal(await askedThrough(agent), '');
  });
});
