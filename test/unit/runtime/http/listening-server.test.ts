import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { eventsComponent } from '../../../../agent/events/events-component.js';
import { memoryOutbox, startAgentWith } from '../../../support/agent-components.js';
import { startEdgeInMemory } from '../../../support/edge-in-memory.js';
import { connectRaw } from '../../../support/raw-http.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { testCertificates } from '../../../support/test-certificates.js';

interface Answer {
  readonly status: number | undefined;
  /** Common name of the server's certificate. */
  readonly subject: unknown;
}

/** Uses a new connection. `ca` has signed the server's certificate, or is that certificate. */
const ask = (url: string, ca: string, more: object = {}, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ca, agent: false, ...more }, (answer) => {
      const { socket } = answer;
      const subject = socket instanceof TLSSocket ? socket.getPeerCertificate().subject.CN : 'no TLS';
      answer.resume();
      answer.once('end', () => resolve({ status: answer.statusCode, subject }));
    });
    sent.once('error', reject);
    sent.end(body);
  });

describe('a server with a certificate', () => {
  const folder = temporaryFolder();
  const { authority, server, selfSigned } = testCertificates;
  const paths = () => ({ certificate: join(folder(), 'tls.crt'), key: join(folder(), 'tls.key') });
  const write = ({ certificate, key }: typeof server): void => {
    for (const [path, text] of [
      [paths().certificate, certificate],
      [paths().key, key],
    ] as const) {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    }
  };
  const edge = () =>
    startEdgeInMemory({
      config: { EDGE_TLS_CERTIFICATE_FILE: paths().certificate, EDGE_TLS_KEY_FILE: paths().key },
    });

  it('serves the edge over HTTPS, and not in plain HTTP', async () => {
    write(server);
    const running = await edge();
    const port = String(running.port);
    assert.equal(running.url, `https://127.0.0.1:${port}`);
    const headers = { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' };
    const path = '/api/v1/monitoring/metrics/text-metrics/task';
    const body = JSON.stringify({ prompt: 'By TLS.' });
    const answer = await ask(`${running.url}${path}`, authority, { method: 'POST', headers }, body);
    assert.deepEqual(answer, { status: 202, subject: 'localhost' });
    const plain = await connectRaw(running.port);
    plain.send('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.equal(await plain.untilClosed(), '');
    await running.stop();
  });

  it('shows the new certificate to new connections once its files have changed', async () => {
    write(server);
    const running = await edge();
    assert.equal((await ask(`${running.url}/livez`, authority)).subject, 'localhost');
    write(selfSigned);
    const subject = 'elsewhere.example.org';
    const again = await ask(`${running.url}/livez`, selfSigned.certificate, { servername: subject });
    assert.deepEqual(again, { status: 200, subject });
    await running.stop();
  });

  it('can be an agent that takes events over HTTPS', async () => {
    write(server);
    const outbox = memoryOutbox();
    const agent = await startAgentWith([eventsComponent], outbox, {
      AGENT_TLS_CERTIFICATE_FILE: paths().certificate,
      AGENT_TLS_KEY_FILE: paths().key,
    });
    const headers = { 'content-type': 'application/json' };
    const event = '{"metric":"m","type":"gauge","value":1}';
    const url = `https://127.0.0.1:${agent.port}/events`;
    assert.equal((await ask(url, authority, { method: 'POST', headers }, event)).status, 200);
    assert.equal(outbox.taken.length, 1);
    await agent.stop();
  });

  it('does not start without its key, and says which setting is missing', async () => {
    write(server);
    await assert.rejects(startEdgeInMemory({ config: { EDGE_TLS_CERTIFICATE_FILE: paths().certificate } }), {
      code: 'CONFIG_INVALID',
      message: /EDGE_TLS_KEY_FILE: is required with EDGE_TLS_CERTIFICATE_FILE/,
    });
  });
});
