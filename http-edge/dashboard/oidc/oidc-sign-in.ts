import type { OidcConfig } from './config.js';
import { grantsOf, type Grant } from './grants.js';
import { openIdProvider, type IdentityProvider } from './identity-provider.js';

/** Signing in by OpenID Connect. */
export interface OidcSignIn {
  readonly provider: IdentityProvider;
  /** The claim that decides what a person may do, and the grants for its values. */
  readonly claim: string;
  readonly grants: readonly Grant[];
}

/** From the settings; undefined if OIDC_ISSUER is empty. */
export function oidcSignIn(config: OidcConfig): OidcSignIn | undefined {
  if (config.OIDC_ISSUER === '') return undefined;
  const { grants } = grantsOf(config.OIDC_GRANTS);
  return { provider: openIdProvider(config), claim: config.OIDC_CLAIM, grants };
}
