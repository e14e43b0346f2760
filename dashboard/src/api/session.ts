import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { ApiError, call, type Answer } from './client.js';

type ListedSession = Answer<'/api/v1/sessions'>['sessions'][number];

/** The person who is signed in: an entry of the session list, with the workspace and the scopes. */
export interface Session extends Omit<ListedSession, 'began_by' | 'last_used_at'> {
  readonly workspace: string;
  readonly scopes: readonly string[];
}

const path = '/api/session';
const queryKey = ['session'];
/** Stored in the browser from sign-in to sign-out. Without a session, it means that the session has ended. */
const signedInName = 'telltale-signed-in';

/** The session; null if nobody is signed in. */
export function useSession(): UseQueryResult<Session | null, ApiError> {
  return useQuery<Session | null, ApiError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const session = (await call('GET', path, { signal })) as Session | null;
      if (session !== null) localStorage.setItem(signedInName, 'true');
      return session;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The identity provider for signing in; null if there is none. */
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

/** The session's cookie is sent only over a secure connection. */
export const cookieNeeds =
  'Your browser keeps a session only over HTTPS, or over HTTP on the same machine: open this page as https://…, or on that machine as http://127.0.0.1:….';

/** Throws ApiError if the key or the link is refused, or the browser does not keep the session. */
export async function signIn(
  client: QueryClient,
  by: { readonly key: string } | { readonly link: string },
): Promise<void> {
  await call('POST', path, { body: by });
  const session = await keptSession();
  if (session === null) throw new ApiError(0, cookieNeeds, undefined);
  localStorage.setItem(signedInName, 'true');
  client.setQueryData<Session | null>(queryKey, session);
}

/** Checks that the browser sends the session back. Other edges learn about a new session a moment later. */
async function keptSession(): Promise<Session | null> {
  for (const waitMs of [0, 300, 1_000]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const session = (await call('GET', path)) as Session | null;
    if (session !== null) return session;
  }
  return null;
}

/** Throws ApiError if the session might still be open. */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await call('DELETE', path);
  } catch (error) {
    // On 401 the session has already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  localStorage.removeItem(signedInName);
  forgetSession(client);
}

/** Whether the person was signed in and did not sign out; only meaningful without a session. */
export const hasSessionEnded = (): boolean => localStorage.getItem(signedInName) !== null;

/** Forgets the person who was signed in, and everything that was read in the session. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  client.setQueryData<Session | null>(queryKey, null);
}
