import assert from 'node:assert/strict';
import { parseIntegrations } from '../../../agent/integration/config/integrations.js';
import {
  emptyFields,
  integrationFile,
  mistakesOf,
} from '../../../dashboard/src/pages/control/integrations/integration-file.js';

describe('the form of integrations', () => {
  const filled = { ...emptyFields, host: ' es1.example.org ', apiKey: 'aWQ6a2V5' };

  for (const [which, fields] of [
    ['an API key, a CA and slow logs', { ...filled, ca: '/etc/ca.crt', slowlog: true }],
    ['user and password', { ...filled, authentication: 'basic', username: 'u', password: ' p"\\' }],
    ['nothing to sign in with', { ...filled, protocol: 'http', authentication: 'none' }],
    ['an address of IPv6', { ...filled, host: '[::1]' }],
  ] as const)
    it(`writes a file that the agent takes, with ${which}`, () => {
      assert.deepEqual(mistakesOf(fields), {});
      const [entry] = parseIntegrations(integrationFile(fields)).entries;
      assert.ok(entry);
      assert.ok(entry.url.startsWith(`${fields.protocol}://${fields.host.trim()}`), entry.url);
      assert.equal(entry.slowlog.enabled, fields.slowlog);
      assert.equal(entry.authentication.kind === 'none', fields.authentication === 'none');
    });

  it('names each field that is wrong', () => {
    const wrong = { ...emptyFields, host: 'https://es1/', port: '99999' };
    assert.deepEqual(Object.keys(mistakesOf(wrong)), ['host', 'port', 'apiKey']);
    for (const port of ['1e3', '9200.0', '0x10', ''])
      assert.deepEqual(Object.keys(mistakesOf({ ...filled, port })), ['port'], port);
    const noUser = { ...filled, authentication: 'basic' };
    assert.deepEqual(Object.keys(mistakesOf(noUser)), ['username', 'password']);
  });
});
