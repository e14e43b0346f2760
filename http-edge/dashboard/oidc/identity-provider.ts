import * as oidc from 'openid-client';
import { reasonOf } from '../../../runtime/errors.js';
import { Problem, retryAfter } from '../../../runtime/http/problem.js';
import type { OidcConfig } from './config.js';

/** One person's attempt to sign in. The browser keeps it and presents it in the provider's callback. */
interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

type Claims = Readonly<Record<string, unknown>>;

/** An OpenID Connect provider: the authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636). */
export interface IdentityProvider {
  /** The name that people know it by. */
  readonly name: string;
  /** Where the browser goes to sign in. Rejects with the problem `unavailable` while the provider is down. */
  begin(): Promise<{ readonly url: string; readonly attempt: SignInAttempt }>;
  /**
   * The claims of the ID token that a callback's query leads to. Also rejects with `unauthorized` if the
   * provider's answer is refused.
   */
  finish(query: string, attempt: SignInAttempt): Promise<Claims>;
}

const timeoutSeconds = 10;

/** Contacts the provider only at the first sign-in, so that an edge can start while its provider is down. */
export function openIdProvider(config: OidcConfig): IdentityProvider {
  const issuer = new URL(config.OIDC_ISSUER);
  let discovered: Promise<oidc.Configuration> | undefined;
  const discover = (): Promise<oidc.Configuration> => {
    const authentication = config.OIDC_CLIENT_SECRET === '' ? oidc.None() : undefined;
    // oidcConfig allows http only on loopback.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked deprecated only to stand out; there is no other way
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const options = { timeout: timeoutSeconds, execute };
    const client = config.OIDC_CLIENT_SECRET || undefined;
    return oidc.discovery(issuer, config.OIDC_CLIENT_ID, client, authentication, options);
  };
  const provider = async (): Promise<oidc.Configuration> => {
    discovered ??= discover();
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw new Problem(
        'unavailable',
        `The identity provider ${issuer.host} does not answer (${reasonOf(error)}). Try again in a minute.`,
        { headers: retryAfter(60) },
      );
    }
  };
  return {
    name: issuer.host,
    async begin() {
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: config.OIDC_REDIRECT_URL,
        scope: config.OIDC_SCOPE,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },
    async finish(query, { state, nonce, codeVerifier }) {
      // The URL that the provider knows: behind a proxy the edge sees a different one.
      const callback = new URL(config.OIDC_REDIRECT_URL);
      callback.search = query;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      const known = await provider();
      try {
        const tokens = await oidc.authorizationCodeGrant(known, callback, {
          ...checks,
          idTokenExpected: true,
        });
        return tokens.claims() ?? {};
      } catch (error) {
        throw new Problem('unauthorized', `The answer of ${issuer.host} was refused: ${reasonOf(error)}.`);
      }
    },
  };
}
