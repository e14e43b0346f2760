import assert from 'node:assert/strict';
import { parseIntegrations } from '../../../agent/integration/config/integrations.js';
import {
  emptyFields,
  integrationFile,
  mistakesOf,
} from '../../../dashboard/src/pages/control/integrations/integration-file.js';

describe('the form of integrations', () => {
  const filled = { ...emptyFields, host: ' es1.example.org ', apiKey: 'aWQ6 a2V5' };
  const fieldsWrongIn = (fields: typeof filled): readonly string[] =>
    Object.keys(mistakesOf([fields])[0] ?? {});

  for (const [which, fields] of [
    ['an API key, a CA and slow logs', { ...filled, ca: '/etc/ca.crt', slowlog: true }],
    ['user and password', { ...filled, authentication: 'basic', username: 'u', password: ' p"\\' }],
    ['nothing to sign in with', { ...filled, protocol: 'http', authentication: 'none' }],
    ['an address of IPv6', { ...filled, host: '[::1]', apiKey: 'id:key' }],
  ] as const)
    it(`writes a file that the agent takes, with ${which}`, () => {
      assert.deepEqual(fieldsWrongIn(fields), []);
      const [entry] = parseIntegrations(integrationFile([fields])).entries;
      assert.ok(entry);
      assert.ok(entry.url.startsWith(`${fields.protocol}://${fields.host.trim()}`), entry.url);
      assert.equal(entry.slowlog.enabled, fields.slowlog);
      assert.equal(entry.authentication.kind === 'none', fields.authentication === 'none');
    });

  it('writes whether a certificate is checked, how long a call may take, and the settings of slow logs', () => {
    const chosen = { verifyCertificate: false, ca: '/etc/ca.crt', requestTimeoutMs: '30000', slowlog: true };
    const logs = { logDirectories: '/var/log/one, /var/log/two,', queryText: 'shape' };
    const { entries, warnings } = parseIntegrations(integrationFile([{ ...filled, ...chosen, ...logs }]));
    assert.deepEqual(warnings, []);
    const [{ verifyCertificate, certificateAuthority, requestTimeoutMs, slowlog } = assert.fail()] = entries;
    assert.deepEqual([verifyCertificate, certificateAuthority, requestTimeoutMs], [false, '', 30_000]);
    assert.deepEqual(slowlog.logDirectories, ['/var/log/one', '/var/log/two']);
    assert.equal(slowlog.queryText, 'shape');
    const [standard = assert.fail()] = parseIntegrations(integrationFile([filled])).entries;
    assert.deepEqual([standard.verifyCertificate, standard.requestTimeoutMs], [true, 15_000]);
  });

  it('writes an array for several clusters, and refuses two with the same address', () => {
    const several = [filled, { ...filled, host: 'es2.example.org' }];
    assert.deepEqual(mistakesOf(several), [{}, {}]);
    const { form, entries } = parseIntegrations(integrationFile(several));
    assert.deepEqual([form, entries.length], ['several', 2]);
    assert.deepEqual(mistakesOf([filled, { ...filled, host: 'ES1.example.org' }]), [
      {},
      { host: 'Host: cluster 1 has the same address.' },
    ]);
  });

  it('names each field that is wrong, in its message too', () => {
    const wrong = { ...emptyFields, host: 'https://es1/', port: '99999', requestTimeoutMs: '700000' };
    const [mistakes = {}] = mistakesOf([wrong]);
    assert.deepEqual(Object.keys(mistakes), ['host', 'port', 'apiKey', 'requestTimeoutMs']);
    assert.deepEqual(
      Object.values(mistakes).map((text) => text.split(':')[0]),
      ['Host', 'Port', 'API key', 'Time for a call'],
    );
    for (const port of ['1e3', '9200.0', '0x10', ''])
      assert.deepEqual(fieldsWrongIn({ ...filled, port }), ['port'], port);
    for (const requestTimeoutMs of ['0', '1.5', '-1', 'x'])
      assert.deepEqual(
        fieldsWrongIn({ ...filled, requestTimeoutMs }),
        ['requestTimeoutMs'],
        requestTimeoutMs,
      );
    for (const apiKey of ['', 'a key', 'aWQ', '%%%'])
      assert.deepEqual(fieldsWrongIn({ ...filled, apiKey }), ['apiKey'], apiKey);
    assert.deepEqual(fieldsWrongIn({ ...filled, host: '10.0.0.999' }), ['host']);
    const noUser = { ...filled, authentication: 'basic', password: ' ' };
    assert.deepEqual(fieldsWrongIn(noUser), ['username', 'password']);
  });
});
