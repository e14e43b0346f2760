import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Answer } from '../../../api/client.js';
import { forgetSession, type Session } from '../../../api/session.js';
import { useRead } from '../../../api/use-read.js';
import { Button } from '../../../shared/button.js';
import { Exports } from '../../../shared/exports.js';
import { formatTimestamp, type Zone } from '../../../shared/format.js';
import { Loaded } from '../../../shared/loaded.js';
import { PageHeader } from '../../../shared/page-header.js';
import { Table, type Column } from '../../../shared/table.js';
import { useAddress } from '../../../shared/use-address.js';
import { ConfirmDialog, type Question } from '../../../shared/confirm-dialog.js';

const path = '/api/v1/sessions';
type Open = Answer<typeof path>['sessions'][number];

/** The people who are signed in; an admin can end sessions here. */
export function PeoplePage({ session }: { readonly session: Session }) {
  const query = useRead(path, { everySeconds: 15 });
  const client = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const { zone } = useAddress();
  const endOf = (one: Open): Question => ({
    title: `End the session of ${whoOf(one)}?`,
    text: `It is refused within a second.${isOwn(one) ? ' It is your own: you will be signed out.' : ''}`,
    yes: 'End it',
    act: async () => {
      await call('DELETE', `${path}/${one.session_id}`);
      if (isOwn(one)) forgetSession(client);
      else await client.invalidateQueries({ queryKey: [path] });
    },
  });
  const isOwn = (one: Open): boolean => one.session_id === session.session_id;
  return (
    <>
      <PageHeader
        title="People"
        about={`Who is signed in to the dashboard of the workspace ${session.workspace}. Activity is accurate to five minutes.`}
        actions={<Exports what="sessions" query={query} path={path} rows={({ sessions }) => sessions} />}
      />
      <Loaded query={query} what="the sessions" from={['edge']}>
        {({ sessions }) => (
          <Table
            caption="Sessions"
            columns={columnsIn(zone, isOwn, (one) => setQuestion(endOf(one)))}
            rows={sessions}
            keyOf={({ session_id: id }) => id}
          />
        )}
      </Loaded>
      {question === undefined ? null : (
        <ConfirmDialog question={question} close={() => setQuestion(undefined)} />
      )}
    </>
  );
}

const columnsIn = (
  zone: Zone,
  isOwn: (one: Open) => boolean,
  end: (one: Open) => void,
): readonly Column<Open>[] => [
  {
    title: 'Who',
    cell: (one) => (
      <>
        <strong>{whoOf(one)}</strong>
        {isOwn(one) ? ' · you' : ''}
      </>
    ),
  },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Signed in by', cell: ({ began_by: way }) => ways[way] },
  {
    title: 'Since',
    cell: ({ signed_in_at: at }) => <time dateTime={at}>{formatTimestamp(at, zone)}</time>,
  },
  {
    title: 'Last active',
    cell: ({ last_used_at: at }) => <time dateTime={at}>{formatTimestamp(at, zone)}</time>,
  },
  {
    title: 'Ends at the latest',
    cell: ({ expires_at: at }) => <time dateTime={at}>{formatTimestamp(at, zone)}</time>,
  },
  {
    title: 'Actions',
    holds: 'action',
    cell: (one) => (
      <Button look="danger" onClick={() => end(one)} aria-label={`End the session of ${whoOf(one)}`}>
        End
      </Button>
    ),
  },
];

const ways: Readonly<Record<Open['began_by'], string>> = {
  key: 'an API key',
  link: 'a sign-in link',
  'identity provider': 'the identity provider',
};

/** For a sign-in link, it is unknown who used it. */
const whoOf = ({ subject, key_id: key }: Open): string =>
  subject ?? (key === null ? 'somebody with a link' : `the holder of key ${key}`);
