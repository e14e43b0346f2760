import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Answer, type IssuedKey } from '../../../api/client.js';
import type { Session } from '../../../api/session.js';
import { useRead } from '../../../api/use-read.js';
import { Button } from '../../../shared/button.js';
import { Exports } from '../../../shared/exports.js';
import { formatTimestamp } from '../../../shared/format.js';
import { Loaded } from '../../../shared/loaded.js';
import { Notice } from '../../../shared/notice.js';
import { PageHeader } from '../../../shared/page-header.js';
import { StatusMark } from '../../../shared/status-mark.js';
import { Table, type Column } from '../../../shared/table.js';
import { useAddress } from '../../../shared/use-address.js';
import { ConfirmDialog, type Question } from '../../../shared/confirm-dialog.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { SecretDialog } from './secret-dialog.js';

const path = '/api/v1/keys';
type Key = Answer<typeof path>['keys'][number];

const marks = { active: 'ok', expired: 'unknown', revoked: 'unknown' } as const;

/** API keys, to create, rotate and revoke. */
export function KeysPage({ session }: { readonly session: Session }) {
  const keys = useRead(path, { everySeconds: 30 });
  const client = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [issued, setIssued] = useState<IssuedKey>();
  const [question, setQuestion] = useState<Question>();
  const change = async (method: 'POST' | 'DELETE', at: string, body?: unknown): Promise<void> => {
    const answer = (await call(method, at, { body })) as IssuedKey | undefined;
    setIssued(answer);
    void client.invalidateQueries({ queryKey: [path] });
  };
  return (
    <>
      <PageHeader
        title="API keys"
        about={`Keys of the workspace ${session.workspace}. A new or revoked key takes effect on every edge within a second.`}
        actions={
          <>
            <Button look="primary" onClick={() => setMaking(true)}>
              New key
            </Button>
            <Exports
              what="API keys"
              query={keys}
              path={path}
              rows={(answer) =>
                answer.keys.map(({ scopes, ...key }) => ({ ...key, scopes: scopes.join(', ') }))
              }
            />
          </>
        }
      />
      <Loaded query={keys} what="the keys" from={['edge']}>
        {(answer) =>
          answer.keys.length === 0 ? (
            <Notice kind="never-received" title="This workspace has no API key yet">
              <p>Whatever sends prompts, events or traces needs one: make the first with “New key”.</p>
            </Notice>
          ) : (
            <KeyTable keys={answer.keys} own={session.key_id} ask={setQuestion} change={change} />
          )
        }
      </Loaded>
      {isMaking ? (
        <NewKeyDialog
          make={async (request) => {
            await change('POST', path, request);
            setMaking(false);
          }}
          close={() => setMaking(false)}
        />
      ) : null}
      {issued === undefined ? null : <SecretDialog issued={issued} close={() => setIssued(undefined)} />}
      {question === undefined ? null : (
        <ConfirmDialog question={question} close={() => setQuestion(undefined)} />
      )}
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  /** The key with which this session was started. */
  readonly own: string | null;
  readonly ask: (question: Question) => void;
  readonly change: (method: 'POST' | 'DELETE', at: string) => Promise<void>;
}

function KeyTable({ keys, own, ask, change }: KeyTableProps) {
  const { zone } = useAddress();
  const rotate = ({ key_id: id, name }: Key): Question => ({
    title: `Rotate “${name}”?`,
    text: 'It gets a new secret, which is shown once. The old secret is refused within a second, and anyone else signed in with it has to sign in again.',
    yes: 'Rotate',
    act: () => change('POST', `${path}/${id}/rotate`),
  });
  const revoke = ({ key_id: id, name }: Key): Question => ({
    title: `Revoke “${name}”?`,
    text: `Everything that uses it is refused within a second, permanently.${id === own ? ' You are signed in with this key, and will be signed out.' : ''}`,
    yes: 'Revoke',
    act: () => change('DELETE', `${path}/${id}`),
  });
  const columns: readonly Column<Key>[] = [
    {
      title: 'Name',
      cell: ({ name, key_id: id }) => (
        <>
          <strong>{name}</strong>
          <br />
          <code>{id}</code>
          {id === own ? ' · yours' : ''}
        </>
      ),
    },
    { title: 'State', cell: ({ state }) => <StatusMark status={marks[state]} word={state} /> },
    { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
    { title: 'Made', cell: ({ created_at: at }) => <time>{formatTimestamp(at, zone)}</time> },
    {
      title: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? 'not known' : <time>{formatTimestamp(at, zone)}</time>),
    },
    {
      title: 'Expires',
      cell: ({ expires_at: at }) => (at === null ? 'never' : <time>{formatTimestamp(at, zone)}</time>),
    },
    {
      title: 'Actions',
      holds: 'action',
      cell: (key) =>
        key.state === 'active' ? (
          <span className="nowrap">
            <Button onClick={() => ask(rotate(key))} aria-label={`Rotate ${key.name}`}>
              Rotate
            </Button>
            <Button look="danger" onClick={() => ask(revoke(key))} aria-label={`Revoke ${key.name}`}>
              Revoke
            </Button>
          </span>
        ) : key.state === 'expired' ? (
          'Refused since then: make a new key.'
        ) : (
          ''
        ),
    },
  ];
  const newestFirst = [...keys].sort(
    (one, other) =>
      Number(one.state !== 'active') - Number(other.state !== 'active') ||
      other.created_at.localeCompare(one.created_at),
  );
  return <Table caption="API keys" columns={columns} rows={newestFirst} keyOf={({ key_id: id }) => id} />;
}
