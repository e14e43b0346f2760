import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A real OpenID Connect provider on loopback, with its own sign-in pages. Any name is accepted. */
export interface TestProvider {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  stop(): Promise<void>;
}

/** `groupsOf` returns the claim `groups` for the name used to sign in. */
export async function startProvider(
  redirectUrl: string,
  groupsOf: Readonly<Record<string, readonly string[]>>,
): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: 'telltale', secret: 'the-secret-of-the-client' };
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUrl] }],
    claims: { openid: ['sub'], email: ['email'], groups: ['groups'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.org`, groups: groupsOf[id] }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return { issuer, client, stop: () => stopped(server) };
}

function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
