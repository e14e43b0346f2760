import { useState } from 'react';
import type { Session } from '../../api/session.js';
import type { CsvRow } from '../../shared/csv.js';
import { RowExports } from '../../shared/exports.js';
import { Link } from '../../shared/link.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { Prose } from '../../shared/prose.js';
import { StatusMark } from '../../shared/status-mark.js';
import { useNow } from '../../shared/use-now.js';
import { Waiting } from '../../shared/waiting.js';
import { attentionOf, type Concern } from './attention.js';
import { FirstCallsList } from './first-calls-list.js';
import styles from './page.module.css';
import { useArrivals } from './use-arrivals.js';
import { useSituation } from './use-situation.js';

/** What needs attention, worst first, with the reason and the next step, and how to send the first data. */
export function HomePage({ session }: { readonly session: Session }) {
  const { situation, awaited, curl } = useSituation(session);
  const [wasEmpty, setWasEmpty] = useState(false);
  const arrivals = useArrivals(wasEmpty);
  const now = useNow(5);
  const concerns = attentionOf(situation, now);
  const isEmpty =
    situation.clusters?.length === 0 &&
    Object.values(arrivals).every(({ hasArrived }) => hasArrived === false);
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  const calls = <FirstCallsList session={session} arrivals={arrivals} />;
  return (
    <>
      <PageHeader
        title="What needs attention"
        about={`Worst first: clusters and their disks, stages of the pipeline, agents, failed prompts, ${session.role === 'admin' ? 'dead letters, keys, ' : ''}and metrics that are not computed.`}
        actions={
          <RowExports
            what="what needs attention"
            rows={awaited.length > 0 ? undefined : () => concerns.map(rowOf)}
            curl={() => curl(Date.now())}
          />
        }
      />
      {wasEmpty ? (
        <section className="stack" aria-labelledby="first-calls">
          <h2 id="first-calls">
            {isEmpty ? 'Nothing has been received yet: paste the first calls' : 'The first data has arrived'}
          </h2>
          {calls}
        </section>
      ) : null}
      {awaited.length > 0 ? <Waiting title="Looking at everything…" awaited={awaited} /> : null}
      {awaited.length === 0 || concerns.length > 0 ? <Concerns concerns={concerns} /> : null}
      {wasEmpty ? null : (
        <details>
          <summary>Send something</summary>
          <div className="stack">{calls}</div>
        </details>
      )}
    </>
  );
}

const rowOf = ({ word, what, reason, next }: Concern): CsvRow => ({
  ...{ state: word, what, reason, next_step: next.text, page: `${location.origin}/ui${next.href}` },
});

function Concerns({ concerns }: { readonly concerns: readonly Concern[] }) {
  if (concerns.length === 0)
    return (
      <Notice kind="none-in-range" title="Nothing needs attention">
        <p>No cluster is in trouble, every stage keeps up, and every metric can be computed.</p>
      </Notice>
    );
  return (
    <ul className={styles['concerns']} aria-label="What needs attention">
      {concerns.map((concern) => (
        <li key={`${concern.what} ${concern.reason}`} data-status={concern.status}>
          <StatusMark status={concern.status} word={concern.word} />
          <div>
            <h2>{concern.what}</h2>
            <p>
              <Prose text={concern.reason} />
            </p>
          </div>
          <Link href={concern.next.href}>{concern.next.text}</Link>
        </li>
      ))}
    </ul>
  );
}
