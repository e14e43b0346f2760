import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import {
  scoringRequests,
  scoringRequestsLanguageModel,
  scoringRequestsLanguageModelRealtime,
  scoringRequestsOverflow,
  scoringRequestsRealtime,
  scoringRequestsRealtimeOverflow,
  scoringResults,
  taskStatus,
} from '../../topics/scoring.js';
import type { Topic } from '../../topics/topic.js';
import { hopOf, inOrder, isoOf, type Found, type Hop } from './found.js';
import {
  look,
  lookForDeadLetters,
  type FindSources,
  type Question,
  type Search,
  type Seen,
} from './sources.js';
import { unreadBy } from './unread.js';

/** Keyed by the id, so only one partition can have it. */
const first = [scoringRequests, scoringRequestsRealtime];
const keyedById: ReadonlySet<Topic> = new Set([...first, scoringRequestsLanguageModelRealtime]);
const passedOn = [
  scoringRequestsOverflow,
  scoringRequestsRealtimeOverflow,
  scoringRequestsLanguageModel,
  scoringRequestsLanguageModelRealtime,
];
/** A request is appended right after it was accepted; the clocks of edge and broker may differ by this much. */
const clocksMs = 10_000;
const appendMs = 120_000;

interface StoredResult {
  readonly accepted_ms: string;
  readonly appended_ms: string;
  readonly taken_ms: string;
  readonly scored_ms: string;
  readonly result_appended_ms: string;
  readonly inserted_ms: string;
  readonly error: string | null;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

/** Finds a task or a call by its id. */
export async function findScoring(id: string, question: Question, sources: FindSources): Promise<Found> {
  const rows = await storedResults(id, question, sources);
  const accepted = rows[0] === undefined ? timestampOfId(id) : Number(rows[0].accepted_ms);
  const since = accepted === undefined ? {} : { since: accepted - clocksMs };
  const until = accepted === undefined ? {} : { until: accepted + appendMs };
  const matches: Parameters<typeof look>[1]['matches'] = ({ value }) => value?.includes(id) === true;
  const own = { matches, isIt: (one: { readonly id: string }) => one.id === id };
  const ofTask = { matches, isIt: (one: { readonly task_id: string }) => one.task_id === id };
  const at = (topic: Topic) => (keyedById.has(topic) ? { key: id } : {});
  const requests = (topics: readonly Topic<ScoringRequest>[], limits: { until?: number }) =>
    topics.map((topic) =>
      look(topic, { ...at(topic), ...since, ...limits, ...own, most: 1 }, question, sources),
    );

  const searches: Promise<Search<ScoringRequest>>[] = requests(first, until);
  const statuses = look(taskStatus, { key: id, ...since, ...ofTask, most: 5 }, question, sources);
  if (rows.length === 0) searches.push(...requests(passedOn, {}));
  const results =
    rows.length > 0
      ? undefined
      : look(scoringResults, { key: id, ...since, ...own, most: 1 }, question, sources);
  const letters =
    rows.length > 0
      ? []
      : [...first, ...passedOn].map((topic) =>
          lookForDeadLetters(topic, { ...own, ...since }, question, sources),
        );
  const resultLetters =
    rows.length > 0 ? undefined : lookForDeadLetters(scoringResults, { ...own, ...since }, question, sources);

  const [asked, status, result, dead, deadResults] = await Promise.all([
    Promise.all(searches),
    statuses,
    results,
    Promise.all(letters),
    resultLetters,
  ]);
  const all = [...asked, status, ...(result === undefined ? [] : [result])];
  const deadLetters = [...dead, ...(deadResults === undefined ? [] : [deadResults])];
  const waiting = await unreadBy(
    [...asked.flatMap(({ seen }) => seen), ...(result?.seen ?? [])],
    sources,
    rows.length > 0,
  );
  const hops = inOrder([
    ...asked.flatMap(({ seen }) => seen.map(requestHop)),
    ...status.seen.map(({ topic, partition, record, value }) =>
      hopOf(`status ${value?.status ?? 'unknown'}`, {
        ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
        detail: value?.error ?? value?.message ?? null,
      }),
    ),
    ...(result?.seen ?? []).map(({ topic, partition, record, value }) =>
      hopOf('result appended', {
        ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
        detail: value?.error ?? null,
      }),
    ),
    ...rows.flatMap(storedHops),
    ...deadLetters.flatMap((one) => one.hops),
  ]);
  const oldest = all.flatMap((one) => (one.oldest === null ? [] : [one.oldest]));
  return {
    id,
    kind: 'task or call',
    ...outcomeOf({
      isStored: rows.length > 0,
      isDead: deadLetters.some((one) => one.hops.length > 0),
      hops,
      waiting,
    }),
    not_seen_since: hops.length > 0 || oldest.length === 0 ? null : isoOf(Math.min(...oldest)),
    complete: [...all, ...deadLetters].every(({ complete }) => complete),
    hops,
  };
}

function outcomeOf(of: {
  readonly isStored: boolean;
  readonly isDead: boolean;
  readonly hops: readonly Hop[];
  readonly waiting: string | undefined;
}): Pick<Found, 'outcome' | 'detail'> {
  if (of.isStored) return { outcome: 'stored', detail: 'Its result is in telltale.scoring_results.' };
  if (of.isDead)
    return { outcome: 'dead letter', detail: 'A stage could not take it: `telltale dead-letters` shows it.' };
  if (of.hops.length === 0)
    return { outcome: 'not seen', detail: 'Neither a request nor a result with this id is there.' };
  return {
    outcome: 'on its way',
    detail: of.waiting ?? 'Everything that was found of it has been read; its next step is under way.',
  };
}

function requestHop({ topic, partition, record, value }: Seen<ScoringRequest>): Hop {
  const accepted = value === undefined ? '' : `accepted ${isoOf(value.accepted_at / 1_000) ?? ''}, `;
  return hopOf('request appended', {
    ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
    detail: value === undefined ? null : `${accepted}${value.metric}`,
  });
}

function storedHops(row: StoredResult): readonly Hop[] {
  const of = { topic: row.topic, partition: row.partition, offset: Number(row.offset) };
  return [
    hopOf('accepted', { at: isoOf(Number(row.accepted_ms)) }),
    hopOf('taken by a processor', { at: isoOf(Number(row.taken_ms)) }),
    hopOf('scored', { at: isoOf(Number(row.scored_ms)), detail: row.error }),
    hopOf('result appended', { at: isoOf(Number(row.result_appended_ms)), ...of }),
    hopOf('stored', { at: isoOf(Number(row.inserted_ms)), table: 'telltale.scoring_results' }),
  ];
}

const stages = ['accepted', 'appended', 'taken', 'scored', 'result_appended', 'inserted'];

function storedResults(
  id: string,
  { workspace }: Question,
  { clickhouse }: FindSources,
): Promise<readonly StoredResult[]> {
  return clickhouse.query<StoredResult>(
    `SELECT ${stages.map((name) => `toUnixTimestamp64Milli(toDateTime64(${name}_at, 3)) AS ${name}_ms`).join(', ')},
        error, _topic AS topic, _partition AS partition, _offset AS offset
     FROM telltale.scoring_results
     WHERE task_id = {id:UUID} ${workspace === undefined ? '' : 'AND workspace = {workspace:String}'} LIMIT 5`,
    { id, ...(workspace === undefined ? {} : { workspace }) },
  );
}

/** The milliseconds at the beginning of a UUID of version 7; undefined for other versions. */
function timestampOfId(id: string): number | undefined {
  return id.charAt(14) === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
