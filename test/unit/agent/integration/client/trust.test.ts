import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { trustOf } from '../../../../../agent/integration/client/trust.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { testCertificates } from '../../../../support/test-certificates.js';

const { authority } = testCertificates;
const verified = (
  certificateAuthority: string,
): { certificateAuthority: string; verifyCertificate: boolean } => ({
  certificateAuthority,
  verifyCertificate: true,
});

describe('the certificates that the agent trusts', () => {
  const folder = temporaryFolder();

  it('are those of the CA in the file, inline or by its path', async () => {
    writeFileSync(join(folder(), 'ca.pem'), authority);
    for (const ca of [authority, 'ca.pem', join(folder(), 'ca.pem'), authority.replaceAll('\n', '\\n')]) {
      const { authorities, diagnostic } = await trustOf(verified(ca), folder());
      assert.deepEqual([authorities, diagnostic], [[authority], undefined]);
    }
  });

  it("are those of the system's trust store if the file gives no CA", async () => {
    const bundle = 'PEM of the system';
    const read = (path: string): Promise<string> =>
      path === '/etc/pki/tls/certs/ca-bundle.crt'
        ? Promise.resolve(bundle)
        : Promise.reject(new Error('ENOENT'));
    const trust = await trustOf(verified(''), folder(), read);
    assert.deepEqual(trust, {
      verify: true,
      authorities: [...rootCertificates, bundle],
      diagnostic: undefined,
    });
  });

  it("are those of the system's trust store if the CA can't be used, and a diagnostic says so", async () => {
    const none = () => Promise.reject(new Error('EACCES: permission denied'));
    const unreadable = await trustOf(verified('/etc/secret/ca.pem'), folder(), none);
    assert.deepEqual([unreadable.verify, unreadable.authorities], [true, [...rootCertificates]]);
    assert.match(unreadable.diagnostic ?? '', /\/etc\/secret\/ca\.pem.*EACCES.*system's trust store/);
    const long = await trustOf(verified('QUJD'.repeat(2_000)), folder());
    assert.ok((long.diagnostic ?? '').length < 1_000, 'a diagnostic is a line, whatever was put for a path');
    const nonsense = await trustOf(verified('-----BEGIN CERTIFICATE-----\nnonsense'), folder());
    assert.match(nonsense.diagnostic ?? '', /^tls\.ca \(inline\) could not be used/);
  });

  it('are all certificates if the file says so, and a diagnostic says so', async () => {
    const trust = await trustOf({ certificateAuthority: authority, verifyCertificate: false }, folder());
    assert.equal(trust.verify, false);
    assert.match(trust.diagnostic ?? '', /any certificate is accepted/);
  });
});
