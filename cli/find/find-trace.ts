import { ingestSpans } from '../../topics/ingest.js';
import { hopOf, inOrder, isoOf, type Found } from './found.js';
import { look, lookForDeadLetters, type FindSources, type Question } from './sources.js';
import { unreadBy } from './unread.js';

interface StoredSpans {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly spans: string;
  /** The sum over all records, including those beyond the limit. */
  readonly all_spans: string;
  readonly received_ms: string;
  readonly appended_ms: string;
  readonly inserted_ms: string;
}

/** How far back the topic is searched for spans that are not stored yet. */
const unreadForMs = 3_600_000;

const spansOf = (count: number | string): string => (Number(count) === 1 ? '1 span' : `${count} spans`);

/** Finds the spans of a trace. */
export async function findTrace(id: string, question: Question, sources: FindSources): Promise<Found> {
  const matches: Parameters<typeof look>[1]['matches'] = ({ key, value }) =>
    key?.toString('latin1') === id || value?.includes(id) === true;
  const [rows, recent, letters] = await Promise.all([
    storedSpans(id, question, sources),
    look(ingestSpans, { key: id, since: Date.now() - unreadForMs, matches, most: 50 }, question, sources),
    lookForDeadLetters(ingestSpans, { matches }, question, sources),
  ]);
  const isStored = ({ partition, record }: { partition: number; record: { offset: number } }): boolean =>
    rows.some((row) => row.partition === partition && Number(row.offset) === record.offset);
  const open = recent.seen.filter((one) => !isStored(one));
  const waiting = await unreadBy(open, sources, false);
  const hops = inOrder([
    ...rows.flatMap((row) => {
      const of = { topic: row.topic, partition: row.partition, offset: Number(row.offset) };
      const detail = spansOf(row.spans);
      return [
        hopOf('received', { at: isoOf(Number(row.received_ms)), detail }),
        hopOf('spans appended', { at: isoOf(Number(row.appended_ms)), ...of, detail }),
        hopOf('stored', { at: isoOf(Number(row.inserted_ms)), table: 'telltale.otel_traces', detail }),
      ];
    }),
    ...open.map(({ topic, partition, record, value }) =>
      hopOf('spans appended', {
        ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
        detail: value === undefined ? null : spansOf(value.spans.length),
      }),
    ),
    ...letters.hops,
  ]);
  const spans = Number(rows[0]?.all_spans ?? 0);
  const of = { id, kind: 'trace', hops, complete: recent.complete && letters.complete } as const;
  if (waiting !== undefined)
    return {
      ...of,
      outcome: 'on its way',
      detail: `${spansOf(spans)} stored; ${waiting}`,
      not_seen_since: null,
    };
  if (rows.length > 0)
    return {
      ...of,
      outcome: 'stored',
      detail: `${spansOf(spans)} in telltale.otel_traces.`,
      not_seen_since: null,
    };
  if (letters.hops.length > 0)
    return {
      ...of,
      ...{
        outcome: 'dead letter',
        detail: 'Its spans became dead letters: `telltale dead-letters` shows them.',
      },
      not_seen_since: null,
    };
  return {
    ...of,
    outcome: open.length > 0 ? 'on its way' : 'not seen',
    detail: open.length > 0 ? 'Its spans are in Kafka and being stored.' : 'No span of this trace was found.',
    not_seen_since: open.length > 0 ? null : isoOf(recent.oldest),
  };
}

/** The view by trace id gives the trace's time range, so that only that part of the table is read. */
function storedSpans(
  id: string,
  { workspace }: Question,
  { clickhouse }: FindSources,
): Promise<readonly StoredSpans[]> {
  const range = 'FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {id:String}';
  return clickhouse.query<StoredSpans>(
    `SELECT _topic AS topic, _partition AS partition, _offset AS offset, count() AS spans, sum(count()) OVER () AS all_spans,
        toUnixTimestamp64Milli(toDateTime64(min(received_at), 3)) AS received_ms,
        toUnixTimestamp64Milli(toDateTime64(min(appended_at), 3)) AS appended_ms,
        toUnixTimestamp64Milli(max(inserted_at)) AS inserted_ms
     FROM telltale.otel_traces
     WHERE TraceId = {id:String} ${workspace === undefined ? '' : 'AND workspace = {workspace:String}'}
       AND Timestamp >= (SELECT min(Start) ${range}) AND Timestamp < (SELECT max(End) + 1 ${range})
     GROUP BY topic, partition, offset ORDER BY appended_ms LIMIT 50`,
    { id, ...(workspace === undefined ? {} : { workspace }) },
  );
}
