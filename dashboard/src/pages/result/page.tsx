import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { DetailNav } from '../../shared/detail-nav.js';
import { Exports } from '../../shared/exports.js';
import { Facts } from '../../shared/facts.js';
import { formatMillis, formatTimestamp } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { StatusMark } from '../../shared/status-mark.js';
import { useAddress } from '../../shared/use-address.js';
import { resultSql } from '../results/sql.js';
import { Figures } from './figure-tables.js';
import { figureRows, figuresOf } from './figures.js';
import { Texts } from './texts.js';
import styles from './page.module.css';

const path = '/api/v1/results/{task_id}';
type WholeResult = Answer<typeof path>;

/** One scored prompt: its texts, all figures or the reasons for their absence, and where its time went. */
export function ResultPage({ id }: { readonly id: string }) {
  const params = { task_id: id };
  const query = useRead(path, { params });
  return (
    <>
      <DetailNav path="/results" name="Results" />
      <Loaded key={id} query={query} what="the result" page="Result">
        {(result) => (
          <>
            <PageHeader
              title={result.metric === 'all' ? 'All metrics' : result.metric.replaceAll('_', ' ')}
              beside={
                <StatusMark
                  status={result.error === null ? 'ok' : 'bad'}
                  word={result.error === null ? 'scored' : 'failed'}
                />
              }
              about={
                <>
                  <code>{result.id}</code>, asked by key <code>{result.key_id}</code> as{' '}
                  {result.lane === 'task' ? 'a task' : 'a real-time call'}
                </>
              }
              actions={
                <Exports
                  what={`result ${id}`}
                  query={query}
                  path={path}
                  options={{ params }}
                  rows={(of) => figureRows(figuresOf(of.metrics ?? {}, of.unavailable))}
                  sql={(_, scope) => resultSql(id, scope)}
                />
              }
            />
            {result.error === null ? null : (
              <Notice kind="error" title="It could not be scored">
                <p>{result.error}</p>
                <p>
                  Send it again. If others fail too, <Link href="/pipeline">the pipeline</Link> shows why.
                </p>
              </Notice>
            )}
            <Texts {...result} />
            <Figures metrics={figuresOf(result.metrics ?? {}, result.unavailable)} />
            <Times result={result} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Times({ result }: { readonly result: WholeResult }) {
  const { zone } = useAddress();
  const versions = Object.entries(result.scorer_versions);
  const hop = (from: string, to: string): string => formatMillis(Date.parse(to) - Date.parse(from));
  return (
    <section className={styles['section']} aria-labelledby="times">
      <h2 id="times">Where its time went</h2>
      <Facts
        facts={[
          ['Accepted', formatTimestamp(result.accepted_at, zone)],
          ['Until Kafka had it', hop(result.accepted_at, result.appended_at)],
          ['Waiting for a processor', hop(result.appended_at, result.taken_at)],
          ['Scoring', hop(result.taken_at, result.scored_at)],
          ['Until Kafka had the result', hop(result.scored_at, result.result_appended_at)],
          ['Until ClickHouse had it', hop(result.result_appended_at, result.inserted_at)],
        ]}
      />
      {versions.length === 0 ? null : (
        <p className="muted">
          {`Scored by ${versions.map(([metric, version]) => `${metric.replaceAll('_', ' ')} ${version}`).join(', ')}.`}
        </p>
      )}
    </section>
  );
}
