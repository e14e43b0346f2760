import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Answer, ApiError } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Button } from '../../shared/button.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatTimestamp } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { StatusMark } from '../../shared/status-mark.js';
import type { Status } from '../../shared/status.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { hopsOf, type TimedHop } from './hops.js';

const path = '/api/v1/find/{id}';
type Found = Answer<typeof path>;

/** Finds something by its id: each step with its time. */
export function FindTab() {
  const { get, set } = useAddress();
  const id = get('id');
  return (
    <>
      <IdForm key={id} id={id} look={(next) => set({ id: next })} />
      {id === '' ? (
        <Notice kind="filtered-out" title="Which one?">
          <p>
            Give the id of a task, a call or a trace, <code>spool/number</code> of an agent’s batch, or the
            Idempotency-Key of a request of the last two days. Every answer of the edge has such an id.
          </p>
        </Notice>
      ) : (
        <Way id={id} />
      )}
    </>
  );
}

function IdForm({ id, look }: { readonly id: string; readonly look: (id: string) => void }) {
  const [text, setText] = useState(id);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    look(text.trim());
  };
  return (
    <form className="field" onSubmit={submit} role="search">
      <label htmlFor="find-id">Id</label>
      <input
        id="find-id"
        type="search"
        value={text}
        size={40}
        maxLength={255}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" look="primary">
        Find
      </Button>
    </form>
  );
}

function Way({ id }: { readonly id: string }) {
  const query = useRead(path, {
    params: { id },
    everySeconds: (last) => (last === undefined ? secondsToNextTry : secondsToNext[last.outcome]),
  });
  return (
    <Loaded query={query} what="where it is" from={['Kafka', 'ClickHouse']}>
      {(found) => <Hops found={found} query={query} />}
    </Loaded>
  );
}

/** Pause after a search that failed or found nothing, because each search reads topics. */
const secondsToNextTry = 30;

/** Undefined if nothing more will happen, as after storing. A dead letter can still be sent back. */
const secondsToNext: Readonly<Record<Found['outcome'], number | undefined>> = {
  stored: undefined,
  taken: undefined,
  'on its way': 5,
  'dead letter': 30,
  'not seen': 30,
};

const marks: Readonly<Record<Found['outcome'], Status>> = {
  stored: 'ok',
  taken: 'ok',
  'on its way': 'warn',
  'dead letter': 'bad',
  'not seen': 'unknown',
};

interface HopsProps {
  readonly found: Found;
  readonly query: UseQueryResult<Found, ApiError>;
}

function Hops({ found, query }: HopsProps) {
  const { zone } = useAddress();
  const columns: readonly Column<TimedHop>[] = [
    { title: 'Step', cell: ({ hop }) => <strong>{hop}</strong> },
    { title: 'Time', cell: ({ at }) => (at === null ? 'unknown' : <time>{formatTimestamp(at, zone)}</time>) },
    {
      title: 'After the previous step',
      isFigure: true,
      cell: ({ afterMs, isFirst }) => (isFirst ? '' : afterMs === null ? 'unknown' : formatMillis(afterMs)),
    },
    { title: 'Place', cell: ({ place }) => (place === '' ? '' : <code>{place}</code>) },
    { title: 'Detail', cell: ({ detail }) => detail ?? '' },
  ];
  return (
    <section className="stack" aria-labelledby="outcome">
      <div className="field">
        <h2 id="outcome">
          <StatusMark status={marks[found.outcome]} word={`${found.kind}: ${found.outcome}`} />
        </h2>
        <Exports
          what={`path of ${found.id}`}
          query={query}
          path={path}
          options={{ params: { id: found.id } }}
          rows={({ hops }) => hopsOf(hops).map(rowOf)}
        />
      </div>
      <p>
        {found.detail} <WhatIsThere found={found} />
      </p>
      {found.complete ? null : <p>The search ran out of time: there may be more.</p>}
      <Table
        caption="Steps on its way, oldest first"
        columns={columns}
        rows={hopsOf(found.hops)}
        keyOf={({ hop }, index) => `${index} ${hop}`}
      />
    </section>
  );
}

const rowOf = ({ hop, at, afterMs, place, detail }: TimedHop) => ({
  ...{ step: hop, at, after_the_one_before_ms: afterMs, place, detail },
});

function WhatIsThere({ found: { id, kind, outcome } }: { readonly found: Found }) {
  if (outcome === 'dead letter') return <Link href="/pipeline/dead-letters">Send it back</Link>;
  if (outcome !== 'stored') return null;
  if (kind === 'task or call') return <Link href={`/results/${id}`}>Open the result</Link>;
  return kind === 'trace' ? <Link href={`/traces/${id}`}>Open the trace</Link> : null;
}
