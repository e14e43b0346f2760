import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { ExplainedStatus } from '../../shared/explained-status.js';
import { Exports } from '../../shared/exports.js';
import { absent, formatTimestamp, formatNumber, zoneName, type Zone } from '../../shared/format.js';
import { Link } from '../../shared/link.js';
import { Loaded } from '../../shared/loaded.js';
import { More } from '../../shared/more.js';
import { PageHeader } from '../../shared/page-header.js';
import { StatusMark } from '../../shared/status-mark.js';
import { Table, type Column } from '../../shared/table.js';
import { useAddress } from '../../shared/use-address.js';
import { usePages } from '../../shared/use-pages.js';
import { useWalkedList } from '../../shared/walked-list.js';
import { Filters, filterOf, isFiltered } from './filters.js';
import { NoneFound } from './none-found.js';
import { sqlOf } from './sql.js';

const path = '/api/v1/results';
type Result = Answer<typeof path>['results'][number];

/** Scored prompts, newest first. */
export function ListTab() {
  const { get, range, zone } = useAddress();
  const pages = usePages();
  const filter = filterOf(get);
  const isBounded = filter.min !== '' || filter.max !== '';
  const bounded = { ...filter, score: isBounded ? filter.score : undefined };
  const options = { query: { ...bounded, cursor: pages.cursor, limit: 100 }, range };
  const query = useRead(path, { ...options, ...(pages.isFirst && { everySeconds: 5 }) });
  useWalkedList('/results', (query.data?.results ?? []).map(hrefOf), query.data?.next);
  return (
    <>
      <PageHeader
        title="Results"
        about="Scored prompts, newest first. A score is “–” if it was not requested or could not be computed."
        actions={
          <Exports
            what="results"
            query={query}
            path={path}
            options={options}
            rows={({ results }) => results}
            sql={(_, scope) => sqlOf(filter, scope)}
          />
        }
      />
      <Filters />
      <Loaded query={query} what="the results">
        {({ results, next }) =>
          results.length === 0 ? (
            <NoneFound isFiltered={isFiltered(filter)} />
          ) : (
            <>
              <Table caption="Results" columns={columnsIn(zone)} rows={results} keyOf={({ id }) => id} />
              <More pages={pages} shown={results.length} next={next} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

const hrefOf = ({ id }: Pick<Result, 'id'>): string => `/results/${id}`;

const columnsIn = (zone: Zone): readonly Column<Result>[] => [
  {
    title: `Accepted (${zoneName(zone)})`,
    cell: ({ accepted_at: at }) => <time className="nowrap">{formatTimestamp(at, zone)}</time>,
  },
  {
    title: 'Prompt',
    holds: 'text',
    cell: ({ id, prompt, prompt_cut: isCut }) => (
      <Link href={hrefOf({ id })}>{prompt === '' ? absent : `${prompt}${isCut ? '…' : ''}`}</Link>
    ),
  },
  { title: 'Asked as', holds: 'name', cell: ({ lane }) => (lane === 'task' ? 'task' : 'real-time') },
  { title: 'Metric', cell: ({ metric }) => metric.replaceAll('_', ' ') },
  {
    title: 'Outcome',
    holds: 'status',
    cell: ({ error }) =>
      error === null ? (
        <StatusMark status="ok" word="scored" />
      ) : (
        <ExplainedStatus status="bad" word="failed" reason={error} />
      ),
  },
  {
    title: 'Sentiment',
    isFigure: true,
    cell: ({ prompt_sentiment_lexicon: value }) => formatNumber(value, 3),
  },
  { title: 'Toxicity', isFigure: true, cell: ({ prompt_toxicity: value }) => formatNumber(value, 3) },
  { title: 'Topic', cell: ({ prompt_closest_topic: topic }) => topic ?? absent },
  {
    title: 'Personal data',
    isFigure: true,
    cell: ({ prompt_pii_engine_entities_count: n }) => formatNumber(n),
  },
];
