import assert from 'node:assert/strict';
import type { SearchCallError } from '../../../../agent/collectors/client-port.js';
import { createSearchClient } from '../../../../agent/integration/client/search-client.js';
import { liveTrust } from '../../../../agent/integration/client/trust.js';
import { parseIntegrations } from '../../../../agent/integration/config/integrations.js';
import { testConnection } from '../../../../agent/integration/connection-test/test-connection.js';
import { json, mutualTlsServer } from '../../../support/strange-servers.js';
import { testCertificates } from '../../../support/test-certificates.js';

describe('a cluster that asks for a client certificate', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`is told of as such, with what to do (${version})`, async () => {
      const server = await mutualTlsServer(json(200, {}), version);
      const entry = {
        service: 'elasticsearch',
        protocol: 'https',
        host: '127.0.0.1',
        port: String(server.port),
        tls: { ca: testCertificates.authority },
      };
      const [integration] = parseIntegrations(JSON.stringify(entry)).entries;
      assert.ok(integration);
      const client = createSearchClient({ integration, trust: liveTrust(integration, '.') });
      try {
        for (let call = 0; call < 20; call += 1) {
          const failure: unknown = await client.get('/').catch((thrown: unknown) => thrown);
          assert.equal((failure as SearchCallError).failure, 'tls_error', String(failure));
        }
        const { kind, message } = await testConnection({ integration, client, diagnostic: undefined });
        assert.equal(kind, 'tls_error', message);
        assert.match(message, /asks for a client certificate, which the agent does not have/);
        assert.doesNotMatch(message, /\.c:\d+/, "nothing of OpenSSL's own sources");
      } finally {
        await client.close();
        await server.stop();
      }
    });
  }
});
