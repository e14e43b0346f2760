import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { call, type ApiError } from './client.js';

/** The person who is signed in. */
export interface Session {
  /** The session's id in the list of sessions. */
  readonly session_id: string;
  readonly workspace: string;
  readonly role: 'viewer' | 'admin';
  readonly key_id: string | null;
  /** The person's name at the identity provider. */
  readonly subject: string | null;
  readonly scopes: readonly string[];
  readonly signed_in_at: string;
  readonly expires_at: string;
}

const path = '/api/session';
const queryKey = ['session'];

/** The session; null where nobody is signed in. */
export function useSession(): UseQueryResult<Session | null, ApiError> {
  return useQuery<Session | null, ApiError>({
    queryKey,
    queryFn: async ({ signal }) => (await call('GET', path, { signal })) as Session | null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The identity provider for signing in; null where there is none. */
export function useIdentityProvider(): UseQueryResult<string | null, ApiError> {
  return useQuery<string | null, ApiError>({
    queryKey: ['identity provider'],
    queryFn: async ({ signal }) => {
      const offered = (await call('GET', '/api/sign-in', { signal })) as { identity_provider: string | null };
      return offered.identity_provider;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Throws ApiError where the key or the link is refused. */
export async function signIn(
  client: QueryClient,
  by: { readonly key: string } | { readonly link: string },
): Promise<void> {
  client.setQueryData<Session | null>(queryKey, (await call('POST', path, { body: by })) as Session);
}

export async function signOut(client: QueryClient): Promise<void> {
  await call('DELETE', path);
  forgetSession(client);
}

/** Forgets the person who was signed in, and everything that was read meanwhile. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  client.setQueryData<Session | null>(queryKey, null);
}
