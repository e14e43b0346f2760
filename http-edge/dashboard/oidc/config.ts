import { z } from 'zod';
import { secret } from '../../../runtime/secret.js';
import { grantsOf } from './grants.js';

const text = (description: string) => z.string().default('').describe(description);

/** Sign-in to the dashboard by OpenID Connect. Off while OIDC_ISSUER is empty. */
export const oidcConfig = z
  .object({
    OIDC_ISSUER: z
      .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })])
      .default('')
      .describe(
        'Issuer URL of the identity provider; its metadata is read from there. `http` only on loopback. If its CA is private: NODE_EXTRA_CA_CERTS.',
      ),
    OIDC_CLIENT_ID: text('Client id of Telltale at the provider.'),
    OIDC_CLIENT_SECRET: secret('Secret of that client; empty for a public client.'),
    OIDC_REDIRECT_URL: text(
      'Where the provider sends people back to: `<address of the dashboard>/ui/api/oidc/callback`, as registered with it.',
    ),
    OIDC_SCOPE: z.string().default('openid profile email').describe('Scopes to ask the provider for.'),
    OIDC_CLAIM: z
      .string()
      .default('groups')
      .describe('Claim of the ID token that says what a person may do: a string, or a list of strings.'),
    OIDC_GRANTS: text(
      'Comma-separated `<value of the claim>=<viewer|admin>:<workspace>`, such as `platform=admin:default,analysts=viewer:default`. The first that a person has counts.',
    ),
  })
  .superRefine((config, context) => {
    const refuse = (name: keyof typeof config, message: string): void =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (config.OIDC_ISSUER === '') return;
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_REDIRECT_URL', 'OIDC_GRANTS'] as const)
      if (config[name] === '') refuse(name, 'is needed with OIDC_ISSUER');
    if (!isProtected(config.OIDC_ISSUER)) refuse('OIDC_ISSUER', 'must be https, other than on loopback');
    if (config.OIDC_REDIRECT_URL !== '' && !isCallback(config.OIDC_REDIRECT_URL))
      refuse('OIDC_REDIRECT_URL', 'must be an http(s) URL that ends with /ui/api/oidc/callback');
    const { invalid } = grantsOf(config.OIDC_GRANTS);
    if (invalid !== undefined)
      refuse('OIDC_GRANTS', `"${invalid}" is not <value>=<viewer|admin>:<workspace>`);
  });

export type OidcConfig = z.output<typeof oidcConfig>;

function isProtected(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function isCallback(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url) && new URL(url).pathname === '/ui/api/oidc/callback';
}
