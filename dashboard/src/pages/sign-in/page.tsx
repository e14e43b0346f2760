import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';
import { cookieNeeds, hasSessionEnded, signIn, useIdentityProvider } from '../../api/session.js';
import { Button } from '../../shared/button.js';
import { reasonOf } from '../../shared/reason-of.js';
import styles from './page.module.css';

/** The link's token. It is removed from the address, to keep it from the history and from onlookers. */
function takeLink(): string | undefined {
  const token = /^#link=([\w-]+)$/.exec(location.hash)?.[1];
  if (token !== undefined) history.replaceState(null, '', '/ui/');
  return token;
}
const link = takeLink();

/** The provider's sign-in, which returns to the requested address: this page has not changed that. */
const providerHref = (): string =>
  `/ui/api/oidc/sign-in?${new URLSearchParams({ to: `${location.pathname}${location.search}` }).toString()}`;

export function SignInPage() {
  const client = useQueryClient();
  const [hasEnded] = useState(() => link === undefined && hasSessionEnded());
  const [failure, setFailure] = useState(isSecureContext ? undefined : cookieNeeds);
  const [isBusy, setBusy] = useState(link !== undefined && isSecureContext);
  const { data: provider = null, error: unread } = useIdentityProvider();
  const attempt = (by: { key: string } | { link: string }): void => {
    setBusy(true);
    signIn(client, by).catch((error: unknown) => {
      setBusy(false);
      setFailure(reasonOf(error));
    });
  };
  useLinkOnce((token) => attempt({ link: token }));
  useEffect(() => {
    document.title = 'Sign in · Telltale';
  }, []);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    if (typeof key === 'string' && key !== '') attempt({ key });
  };
  return (
    <main className={styles['page']}>
      <form className={styles['card']} onSubmit={submit}>
        <h1>Sign in to Telltale</h1>
        {hasEnded && failure === undefined ? (
          <p role="status">Your session has ended. Sign in again.</p>
        ) : null}
        {provider === null ? null : (
          <a className={styles['provider']} href={providerHref()}>
            Sign in with {provider}
          </a>
        )}
        {unread === null ? null : (
          <p role="alert">
            Whether you can sign in by an identity provider could not be read: {reasonOf(unread)}
          </p>
        )}
        <label htmlFor="key">API key of scope read or admin</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          placeholder="tt_…"
          aria-describedby="help"
          aria-invalid={failure !== undefined}
        />
        {failure === undefined ? null : (
          <p className={styles['failure']} role="alert">
            {failure}
          </p>
        )}
        <Button type="submit" look="primary" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        <p id="help" className={styles['help']}>
          Or open a one-time link: <code>npm start</code> prints one, and <code>telltale sign-in-link</code>{' '}
          makes another.
        </p>
      </form>
    </main>
  );
}

let isLinkTried = false;

/** Tries the link in the address once: it is valid for only one session, which the browser must keep. */
function useLinkOnce(attempt: (token: string) => void): void {
  useEffect(() => {
    if (link === undefined || isLinkTried || !isSecureContext) return;
    isLinkTried = true;
    attempt(link);
  });
}
