import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { ApiError, call, type Answer } from './client.js';

type ListedSession = Answer<'/api/v1/sessions'>['sessions'][number];

/** The person who is signed in: what the list of sessions says, and what the person may do where. */
export interface Session extends Omit<ListedSession, 'began_by' | 'last_used_at'> {
  readonly workspace: string;
  readonly scopes: readonly string[];
}

const path = '/api/session';
const queryKey = ['session'];
/** In the browser's storage from signing in to signing out: without a session, it has ended. */
const signedInName = 'telltale-signed-in';

/** The session; null where nobody is signed in. */
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

/** The session's cookie is sent over a secure connection alone. */
export const cookieNeeds =
  'Your browser keeps a session only over HTTPS, or over HTTP of the machine that you sit at: open this page as https://…, or as http://127.0.0.1:… there.';

/** Throws ApiError where the key or the link is refused, or the browser does not keep the session. */
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

/** The session as the browser sends it back. An edge that did not begin it knows of it a moment later. */
async function keptSession(): Promise<Session | null> {
  for (const waitMs of [0, 300, 1_000]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const session = (await call('GET', path)) as Session | null;
    if (session !== null) return session;
  }
  return null;
}

/** Throws ApiError where the session may still be open. */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await call('DELETE', path);
  } catch (error) {
    // It has ended already.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  localStorage.removeItem(signedInName);
  forgetSession(client);
}

/** Whether the person who is not signed in was, and did not sign out. */
export const hasSessionEnded = (): boolean => localStorage.getItem(signedInName) !== null;

/** Forgets the person who was signed in, and everything that was read meanwhile. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  client.setQueryData<Session | null>(queryKey, null);
}
