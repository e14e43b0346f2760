import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import { stageTimestamps } from '../../schemas/hops.js';
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

/** Keyed by the id, so that a request can only be in one partition. */
const first = [scoringRequests, scoringRequestsRealtime];
const keyedById: ReadonlySet<Topic> = new Set([...first, scoringRequestsLanguageModelRealtime]);
const passedOn = [
  scoringRequestsOverflow,
  scoringRequestsRealtimeOverflow,
  scoringRequestsLanguageModel,
  scoringRequestsLanguageModelRealtime,
];
/** Requests are appended right after they are accepted, but edge and broker clocks can differ this much. */
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
  const isStored = rows.length > 0;
  const { requests, status, result, deadLetters } = await searchLogs(id, rows[0], question, sources);
  const results = result?.seen ?? [];
  const waiting = await unreadBy([...requests.flatMap(({ seen }) => seen), ...results], sources, isStored);
  const hops = inOrder([
    ...requests.flatMap(({ seen }) => seen.map(requestHop)),
    ...status.seen.map(statusHop),
    ...results.map(resultHop),
    ...rows.flatMap(storedHops),
    ...deadLetters.flatMap((one) => one.hops),
  ]);
  const searched = [...requests, status, ...(result === undefined ? [] : [result])];
  const oldest = searched.flatMap((one) => (one.oldest === null ? [] : [one.oldest]));
  const isDead = deadLetters.some((one) => one.hops.length > 0);
  return {
    id,
    kind: 'task or call',
    ...outcomeOf({ isStored, isDead, hops, waiting }),
    not_seen_since: hops.length > 0 || oldest.length === 0 ? null : isoOf(Math.min(...oldest)),
    complete: [...searched, ...deadLetters].every(({ complete }) => complete),
    hops,
  };
}

interface Searched {
  readonly requests: readonly Search<ScoringRequest>[];
  readonly status: Search<TaskStatus>;
  /** This and the dead letters are only searched if no result is stored. */
  readonly result: Search<ScoringResult> | undefined;
  readonly deadLetters: readonly Awaited<ReturnType<typeof lookForDeadLetters>>[];
}

/** Searches every log that can have it; if its result is stored, only for its request and status. */
async function searchLogs(
  id: string,
  stored: StoredResult | undefined,
  question: Question,
  sources: FindSources,
): Promise<Searched> {
  const accepted = stored === undefined ? timestampOfId(id) : Number(stored.accepted_ms);
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

  const isStored = stored !== undefined;
  const deadLettersOf = <Value extends ScoringRequest | ScoringResult>(topic: Topic<Value>) =>
    lookForDeadLetters(topic, { ...own, ...since }, question, sources);
  const [asked, status, result, deadLetters] = await Promise.all([
    Promise.all([...requests(first, until), ...(isStored ? [] : requests(passedOn, {}))]),
    look(taskStatus, { key: id, ...since, ...ofTask, most: 5 }, question, sources),
    isStored ? undefined : look(scoringResults, { key: id, ...since, ...own, most: 1 }, question, sources),
    Promise.all(
      isStored ? [] : [...[...first, ...passedOn].map(deadLettersOf), deadLettersOf(scoringResults)],
    ),
  ]);
  return { requests: asked, status, result, deadLetters };
}

function outcomeOf(of: {
  readonly isStored: boolean;
  readonly isDead: boolean;
  readonly hops: readonly Hop[];
  readonly waiting: string | undefined;
}): Pick<Found, 'outcome' | 'detail'> {
  if (of.isStored) return { outcome: 'stored', detail: 'Its result is in telltale.scoring_results.' };
  if (of.isDead)
    return {
      outcome: 'dead letter',
      detail: 'A stage could not process it: `telltale dead-letters` shows it.',
    };
  if (of.hops.length === 0)
    return { outcome: 'not seen', detail: 'Neither a request nor a result with this id was found.' };
  return {
    outcome: 'on its way',
    detail: of.waiting ?? 'All records found for it have been read; its next step is under way.',
  };
}

function requestHop({ topic, partition, record, value }: Seen<ScoringRequest>): Hop {
  const accepted = value === undefined ? '' : `accepted ${isoOf(value.accepted_at / 1_000) ?? ''}, `;
  return hopOf('request appended', {
    ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
    detail: value === undefined ? null : `${accepted}${value.metric}`,
  });
}

function statusHop({ topic, partition, record, value }: Seen<TaskStatus>): Hop {
  return hopOf(`status ${value?.status ?? 'unknown'}`, {
    ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
    detail: value?.error ?? value?.message ?? null,
  });
}

function resultHop({ topic, partition, record, value }: Seen<ScoringResult>): Hop {
  return hopOf('result appended', {
    ...{ at: isoOf(record.timestamp), topic, partition, offset: record.offset },
    detail: value?.error ?? null,
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

/** The rows of its newest result. */
export function storedResults(
  id: string,
  { workspace }: Question,
  { clickhouse }: FindSources,
): Promise<readonly StoredResult[]> {
  return clickhouse.query<StoredResult>(
    `SELECT ${stageTimestamps.map((name) => `toUnixTimestamp64Milli(toDateTime64(${name}, 3)) AS ${name.replace(/_at$/, '_ms')}`).join(', ')},
        error, _topic AS topic, _partition AS partition, _offset AS offset
     FROM telltale.scoring_result_versions
     WHERE task_id = {id:UUID} ${workspace === undefined ? '' : 'AND workspace = {workspace:String}'}
     ORDER BY version DESC LIMIT 1 WITH TIES`,
    { id, ...(workspace === undefined ? {} : { workspace }) },
  );
}

/** The milliseconds at the beginning of a UUID of version 7; undefined for other versions. */
function timestampOfId(id: string): number | undefined {
  return id.charAt(14) === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
