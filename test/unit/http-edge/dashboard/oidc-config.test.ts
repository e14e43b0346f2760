import assert from 'node:assert/strict';
import { oidcConfig } from '../../../../http-edge/dashboard/oidc/config.js';
import { grantFor, grantsOf } from '../../../../http-edge/dashboard/oidc/grants.js';

const whole = {
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_CLIENT_ID: 'telltale',
  OIDC_REDIRECT_URL: 'https://telltale.example.org/ui/api/oidc/callback',
  OIDC_GRANTS: 'cn=ops,dc=example=admin:default',
};

describe('the settings of OpenID Connect', () => {
  it('need each other, and are all optional without an issuer', () => {
    assert.equal(oidcConfig.safeParse({}).success, true);
    assert.equal(oidcConfig.safeParse({ ...whole, OIDC_GRANTS: 'ops=admin:default' }).success, true);
    const { error } = oidcConfig.safeParse({ OIDC_ISSUER: whole.OIDC_ISSUER });
    const named = error?.issues.map(({ path }) => path.join());
    assert.deepEqual(named, ['OIDC_CLIENT_ID', 'OIDC_REDIRECT_URL', 'OIDC_GRANTS']);
  });
  it('refuse plain HTTP except on loopback, any other redirect path, and invalid grants', () => {
    const refused = (changed: object): string[] | undefined =>
      oidcConfig
        .safeParse({ ...whole, OIDC_GRANTS: 'ops=admin:default', ...changed })
        .error?.issues.map(({ path }) => path.join());
    assert.deepEqual(refused({ OIDC_ISSUER: 'http://login.example.org' }), ['OIDC_ISSUER']);
    assert.equal(refused({ OIDC_ISSUER: 'http://127.0.0.1:9000' }), undefined);
    assert.deepEqual(refused({ OIDC_REDIRECT_URL: 'https://telltale.example.org/' }), ['OIDC_REDIRECT_URL']);
    assert.deepEqual(refused({ OIDC_GRANTS: 'ops=owner:default' }), ['OIDC_GRANTS']);
    assert.deepEqual(refused({ OIDC_GRANTS: 'ops=admin:my team' }), ['OIDC_GRANTS']);
  });
});

describe('the grants of OpenID Connect', () => {
  const { grants } = grantsOf('platform=admin:acme, cn=staff;ou=x=viewer:acme,');
  it('can have values that contain an equals sign', () => {
    assert.deepEqual(
      grants.map(({ value, role, workspace }) => [value, role, workspace]),
      [
        ['platform', 'admin', 'acme'],
        ['cn=staff;ou=x', 'viewer', 'acme'],
      ],
    );
  });
  it('are decided by the first grant whose value the claim equals, or lists', () => {
    assert.equal(grantFor(grants, ['cn=staff;ou=x', 'platform'])?.role, 'admin');
    assert.equal(grantFor(grants, 'cn=staff;ou=x')?.role, 'viewer');
    for (const nothing of [undefined, null, [], 'plat', { platform: true }, ['Platform']])
      assert.equal(grantFor(grants, nothing), undefined);
  });
});
