import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type IssuedKey } from '../../api/client.js';
import type { Session } from '../../api/session.js';
import { Button } from '../../shared/button.js';
import { CopyButton } from '../../shared/copy-button.js';
import { Link } from '../../shared/link.js';
import { reasonOf } from '../../shared/reason-of.js';
import { StatusMark } from '../../shared/status-mark.js';
import { firstCalls, keyPlaceholder, newIds } from '../../shared/first-calls.js';
import styles from './page.module.css';
import type { Arrivals } from './use-arrivals.js';
import { CodeBlock } from '../../shared/code-block.js';

const keyDays = 30;

/** The first calls to paste; each shows when its data has arrived. */
export function FirstCallsList({
  session,
  arrivals,
}: {
  readonly session: Session;
  readonly arrivals: Arrivals;
}) {
  const [key, setKey] = useState<string>();
  const [ids] = useState(newIds);
  const calls = firstCalls({ origin: location.origin, key: key ?? keyPlaceholder, ...ids });
  const waiting = [arrivals.results, arrivals.events, arrivals.traces];
  return (
    <>
      <KeyOfCalls session={session} hasKey={key !== undefined} onKey={setKey} />
      <ol className={styles['calls']}>
        {calls.map(({ title, command }, index) => {
          const arrival = waiting[index];
          return (
            <li key={title}>
              <div className="field">
                <h3>{title}</h3>
                {arrival?.hasArrived === true ? (
                  <Link href={arrival.href}>
                    <StatusMark status="ok" word="arrived: see it" />
                  </Link>
                ) : (
                  <StatusMark status="unknown" word="waiting for the first" />
                )}
                <CopyButton label="Copy" text={() => command} />
              </div>
              <CodeBlock label={`${title}: the call`}>{command}</CodeBlock>
            </li>
          );
        })}
      </ol>
      <p className="muted">
        The third goes to the agent of this machine, which <code>npm start</code> runs on port 3774 unless{' '}
        <code>AGENT_PORT</code> says otherwise. To watch a search cluster, give the agent an{' '}
        <code>integration.json</code>: <Link href="/control/integrations">make one here</Link>.
      </p>
    </>
  );
}

interface KeyOfCallsProps {
  readonly session: Session;
  readonly hasKey: boolean;
  readonly onKey: (key: string) => void;
}

/** The commands need a key, and the dashboard only knows one that it has just made. */
function KeyOfCalls({ session, hasKey, onKey }: KeyOfCallsProps) {
  const making = useMutation({
    async mutationFn() {
      const expiresAt = new Date(Date.now() + keyDays * 86_400_000).toISOString();
      const body = { name: 'first calls', scopes: ['metrics', 'events'], expires_at: expiresAt };
      return (await call('POST', '/api/v1/keys', { body })) as IssuedKey;
    },
    onSuccess: ({ key }) => onKey(key),
  });
  if (hasKey)
    return (
      <p role="status">
        The key “first calls” is filled in. It is not shown again once you leave this page, and expires in{' '}
        {keyDays} days.
      </p>
    );
  return (
    <div className="stack">
      <p>
        <code>{keyPlaceholder}</code> stands for an API key, because the dashboard keeps none.{' '}
        {session.role === 'admin'
          ? 'Make one here, and it is filled in; or set the variable:'
          : 'Ask an admin for one of the scopes metrics and events; or set the variable:'}{' '}
        <code>npm start</code> keeps a key in <code>dev.env</code> in its folder, <code>.telltale</code>{' '}
        unless <code>TELLTALE_HOME</code> says otherwise.
      </p>
      {session.role === 'admin' ? (
        <div>
          <Button look="primary" disabled={making.isPending} onClick={() => making.mutate()}>
            Make a key for these calls
          </Button>
        </div>
      ) : null}
      {making.error === null ? null : <p role="alert">{reasonOf(making.error)}</p>}
    </div>
  );
}
