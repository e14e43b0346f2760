import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchCallError } from '../../../../agent/collectors/client-port.js';
import { parseIntegrations } from '../../../../agent/integration/config/integrations.js';
import { openCluster } from '../../../../agent/integration/open-cluster.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import { json, tlsServer } from '../../../support/strange-servers.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { testCertificates } from '../../../support/test-certificates.js';

describe('the CA file of a watched cluster', () => {
  const folder = temporaryFolder();

  it('is read again once it appears or changes, and an unusable one changes nothing', async () => {
    const { authority, selfSigned, server: signed } = testCertificates;
    const server = await tlsServer((request, response) => {
      response.setHeader('connection', 'close');
      json(200, { fine: true })(request, response);
    });
    const entry = { service: 'elasticsearch', protocol: 'https', host: '127.0.0.1', port: `${server.port}` };
    const [integration] = parseIntegrations(JSON.stringify({ ...entry, tls: { ca: 'ca.pem' } })).entries;
    assert.ok(integration);
    const path = join(folder(), 'ca.pem');
    const { client, diagnostic } = await openCluster(integration, folder(), createMetrics());
    const outcome = async (): Promise<unknown> =>
      client.get('/').then(
        ({ status }) => status,
        (error: unknown) => (error as SearchCallError).failure,
      );
    try {
      assert.equal(await outcome(), 'tls_error');
      assert.match(diagnostic() ?? '', /ENOENT.*system's trust store/);
      writeFileSync(path, authority);
      assert.equal(await outcome(), 200);
      assert.equal(diagnostic(), undefined);
      writeFileSync(path, selfSigned.certificate);
      assert.equal(await outcome(), 'tls_error');
      writeFileSync(path, `${signed.certificate}${authority}`);
      assert.equal(await outcome(), 200);
      writeFileSync(path, authority.slice(0, 100));
      assert.equal(await outcome(), 200);
      assert.match(diagnostic() ?? '', /could not be used.*the previous one stays in use/);
      rmSync(path);
      assert.equal(await outcome(), 200);
      assert.match(diagnostic() ?? '', /ENOENT.*the previous one stays in use/);
    } finally {
      await client.close();
      await server.stop();
    }
  });
});
