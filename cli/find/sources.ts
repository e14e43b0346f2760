import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import type { Codec } from '../../runtime/codec.js';
import { foundDeadLetter, type FoundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { GroupLagReader } from '../../runtime/kafka/consume/group-lag.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import {
  searchLog,
  type LogMatch,
  type LogSearch,
  type LogSearched,
} from '../../runtime/kafka/consume/find-records.js';
import type { LogRecord } from '../../runtime/kafka/protocol/record-batches.js';
import { openCodec } from '../../runtime/registry/codec.js';
import type { Registry } from '../../runtime/registry/registry.js';
import { deadLettersOf } from '../../topics/dead-letters.js';
import type { Topic } from '../../topics/topic.js';
import { hopOf, isoOf, type Hop } from './found.js';

export interface FindSources {
  readonly access: KafkaAccess;
  readonly groups: Pick<GroupLagReader, 'read'>;
  readonly registry: Registry;
  readonly clickhouse: Pick<ClickHouse, 'query'>;
}

/** What a question may see, and how long it may take. */
export interface Question {
  /** Only this workspace; everything if undefined. */
  readonly workspace: string | undefined;
  readonly signal: AbortSignal;
}

interface Wanted<Value> extends Omit<LogSearch, 'topic' | 'kafka' | 'signal' | 'counts'> {
  /** Whether a decoded value is the wanted one: other records' bytes can match because they quote the id. */
  readonly isIt?: (value: Value) => boolean;
}
type OfWorkspace = { readonly workspace: string };

/** A record that was found, with its value; undefined if it can't be decoded. */
export interface Seen<Value> extends LogMatch {
  readonly value: Value | undefined;
}

export interface Search<Value> extends Omit<LogSearched, 'matches'> {
  readonly seen: readonly Seen<Value>[];
}

const nothing = { seen: [], complete: true, oldest: null };

/** Searches a topic for records of the question's workspace. A topic that does not exist has none. */
export async function look<Value extends OfWorkspace>(
  topic: Topic<Value>,
  { isIt, ...wanted }: Wanted<Value>,
  { workspace, signal }: Question,
  { access: kafka, registry }: FindSources,
): Promise<Search<Value>> {
  const values = decodedOnce(topic, registry);
  const counts = async (record: LogRecord): Promise<boolean> =>
    isWanted(await values(record), workspace, isIt);
  const searched = await searchOrNothing({ ...wanted, counts, topic: topic.name, kafka, signal });
  if (searched === undefined) return nothing;
  const { matches, ...of } = searched;
  const seen = await Promise.all(
    matches.map(async (match) => ({ ...match, value: await values(match.record) })),
  );
  return { ...of, seen };
}

/** The dead letters of a topic, as hops. */
export async function lookForDeadLetters<Value extends OfWorkspace>(
  source: Topic<Value>,
  { isIt, ...wanted }: Pick<Wanted<Value>, 'matches' | 'since' | 'isIt'>,
  { workspace, signal }: Question,
  { access: kafka, registry }: FindSources,
): Promise<{ readonly hops: readonly Hop[]; readonly complete: boolean }> {
  const topic = deadLettersOf(source);
  const values = decodedOnce(source, registry);
  const counts = async (record: LogRecord): Promise<boolean> =>
    foundDeadLetter(record) !== undefined && isWanted(await values(record), workspace, isIt);
  const searched = await searchOrNothing({ ...wanted, counts, most: 10, topic, kafka, signal });
  if (searched === undefined) return { hops: [], complete: true };
  const hops = searched.matches.flatMap(({ partition, record }) => {
    const letter = foundDeadLetter(record);
    if (letter === undefined) return [];
    const detail = letterDetail(letter, workspace);
    return [hopOf('dead letter', { at: isoOf(letter.at), topic, partition, offset: record.offset, detail })];
  });
  return { hops, complete: searched.complete };
}

/**
 * Only users who may see everything get the reason: ClickHouse can quote rows of other workspaces that were
 * inserted together with this one.
 */
export function letterDetail(letter: FoundDeadLetter, workspace: string | undefined): string {
  const why = workspace === undefined ? `${letter.code}: ${letter.reason}` : letter.code;
  return `${letter.stage} could not process ${letter.topic}/${letter.partition} at ${letter.offset}: ${why} (letter ${letter.id})`;
}

async function searchOrNothing(search: LogSearch): Promise<LogSearched | undefined> {
  try {
    return await searchLog(search);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'TOPIC_MISSING') return undefined;
    if (error instanceof TelltaleError) throw error;
    throw new TelltaleError(
      'KAFKA_UNREACHABLE',
      { brokers: search.kafka.brokers.join(', ') },
      { cause: error },
    );
  }
}

/** Decodes each record once; undefined if it can't be decoded. */
function decodedOnce<Value>(
  topic: Topic<Value>,
  registry: Registry,
): (record: LogRecord) => Promise<Value | undefined> {
  const values = new WeakMap<LogRecord, Promise<Value | undefined>>();
  let codec: Promise<Codec<Value>> | undefined;
  const read = async ({ value }: LogRecord): Promise<Value | undefined> => {
    codec ??= openCodec(topic, registry);
    return decoded(await codec, value);
  };
  return (record) => {
    const value = values.get(record) ?? read(record);
    values.set(record, value);
    return value;
  };
}

async function decoded<Value>(codec: Codec<Value>, bytes: Buffer | null): Promise<Value | undefined> {
  if (bytes === null) return undefined;
  try {
    return await codec.decode(bytes);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE') return undefined;
    throw error;
  }
}

/** The workspace of an undecodable record is unknown, so only users who may see everything see it. */
export function isWanted<Value extends OfWorkspace>(
  value: Value | undefined,
  workspace: string | undefined,
  isIt: (value: Value) => boolean = () => true,
): boolean {
  if (value === undefined) return workspace === undefined;
  return (workspace === undefined || value.workspace === workspace) && isIt(value);
}
