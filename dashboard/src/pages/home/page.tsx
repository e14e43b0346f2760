import { Link } from 'wouter';
import { useRead } from '../../api/use-read.js';
import { CopyButton } from '../../shared/copy-button.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { StatusMark } from '../../shared/status-mark.js';
import { attentionOf, type Concern } from './attention.js';
import { firstCalls } from './first-calls.js';
import styles from './page.module.css';

/** What needs attention, worst first, each with its reason and the next step. */
export function HomePage() {
  const clusters = useRead('/api/v1/clusters', { query: { limit: 1_000 }, everySeconds: 15 });
  const scorers = useRead('/api/v1/monitoring/metrics/scorers', { everySeconds: 60 });
  return (
    <>
      <PageHeader title="What needs attention" />
      <Loaded query={clusters} what="the clusters">
        {(known) => (
          <Loaded query={scorers} what="the scorers">
            {(metrics) => <Concerns concerns={attentionOf(known.clusters, metrics.scorers)} />}
          </Loaded>
        )}
      </Loaded>
      <FirstCalls />
    </>
  );
}

function Concerns({ concerns }: { readonly concerns: readonly Concern[] }) {
  if (concerns.length === 0)
    return (
      <Notice kind="none-in-range" title="Nothing needs attention">
        <p>No cluster is in trouble, and every metric can be computed.</p>
      </Notice>
    );
  return (
    <ul className={styles['concerns']}>
      {concerns.map((concern) => (
        <li key={concern.what}>
          <StatusMark status={concern.status} word={concern.word} />
          <div>
            <h2>
              {concern.href === undefined ? concern.what : <Link href={concern.href}>{concern.what}</Link>}
            </h2>
            <p>{concern.reason}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function FirstCalls() {
  return (
    <section className={styles['calls']} aria-labelledby="first-calls">
      <h2 id="first-calls">Send something</h2>
      <p>
        Paste one into a shell. <Link href="/keys">API keys</Link> makes a key for{' '}
        <code>$TELLTALE_API_KEY</code>; <code>npm start</code> keeps one in <code>.telltale/dev.env</code>.
      </p>
      <ul>
        {firstCalls(location.origin).map(({ title, command }) => (
          <li key={title}>
            <div className="field">
              <h3>{title}</h3>
              <CopyButton label="Copy" text={() => command} />
            </div>
            <pre>{command}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}
