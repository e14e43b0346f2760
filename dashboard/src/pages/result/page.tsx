import { Link } from 'wouter';
import type { Answer } from '../../api/client.js';
import { curlOf, useRead } from '../../api/use-read.js';
import { CopyButton } from '../../shared/copy-button.js';
import { Facts } from '../../shared/facts.js';
import { formatMillis, formatTimestamp } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { PageHeader } from '../../shared/page-header.js';
import { Prose } from '../../shared/prose.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { figuresOf, type Figure, type MetricFigures } from './figures.js';
import { entitiesOf, markedUp } from './marked-text.js';
import styles from './page.module.css';

const path = '/api/v1/results/{task_id}';
type WholeResult = Answer<typeof path>;

/** One scored prompt: its texts, every figure with its reason, and where its time went. */
export function ResultPage({ id }: { readonly id: string }) {
  const params = { task_id: id };
  const query = useRead(path, { params });
  return (
    <>
      <nav aria-label="Where this is">
        <Link href="/results">Results</Link>
      </nav>
      <Loaded query={query} what="the result" page="Result">
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
              actions={<CopyButton label="Copy as curl" text={() => curlOf(path, { params }, Date.now())} />}
            />
            {result.error === null ? null : (
              <Notice kind="error" title="It could not be scored">
                <p>{result.error}</p>
              </Notice>
            )}
            <Texts result={result} />
            <Figures metrics={figuresOf(result.metrics ?? {}, result.unavailable)} />
            <Times result={result} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Texts({ result: { prompt, response, metrics } }: { readonly result: WholeResult }) {
  const pieces = markedUp(prompt, entitiesOf(metrics ?? {}));
  return (
    <section className={styles['texts']} aria-label="Texts">
      <div>
        <h2>Prompt</h2>
        <p>
          {pieces.map(({ text, type }, place) =>
            type === undefined ? (
              <span key={place}>{text}</span>
            ) : (
              <mark key={place}>
                {text}
                <small>{type.toLowerCase().replaceAll('_', ' ')}</small>
              </mark>
            ),
          )}
        </p>
      </div>
      {response === null ? null : (
        <div>
          <h2>Response</h2>
          <p>{response}</p>
        </div>
      )}
    </section>
  );
}

const figureColumns: readonly Column<Figure>[] = [
  { title: 'Figure', holds: 'name', cell: ({ name }) => <code>{name}</code> },
  { title: 'Value', cell: ({ value }) => value },
  { title: 'Why there is none', cell: ({ reason }) => <Prose text={reason} /> },
];

function Figures({ metrics }: { readonly metrics: readonly MetricFigures[] }) {
  return (
    <section className={styles['section']} aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      {metrics.map(({ metric, figures }) => {
        const name = metric.replaceAll('_', ' ');
        const missing = figures.filter(({ reason }) => reason !== '').length;
        return (
          <details key={metric} open={metrics.length === 1}>
            <summary>
              <strong>{name}</strong>{' '}
              <span className="muted">
                {figures.length === 1 ? '1 figure' : `${figures.length} figures`}
                {missing === 0 ? '' : `, ${missing} not computed`}
              </span>
            </summary>
            <Table
              caption={`Figures of ${name}`}
              columns={missing === 0 ? figureColumns.slice(0, 2) : figureColumns}
              rows={figures}
              keyOf={(figure) => figure.name}
            />
          </details>
        );
      })}
    </section>
  );
}

function Times({ result }: { readonly result: WholeResult }) {
  const { zone } = useAddress();
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
      <p className="muted">
        {`Scored by ${Object.entries(result.scorer_versions)
          .map(([metric, version]) => `${metric.replaceAll('_', ' ')} ${version}`)
          .join(', ')}.`}
      </p>
    </section>
  );
}
