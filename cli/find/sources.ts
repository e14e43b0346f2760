import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import type { Codec } from '../../runtime/codec.js';
import { foundDeadLetter } from '../../runtime/dead-letters/dead-letter.js';
import { TelltaleError } from '../../runtime/errors.js';
import type { GroupLagReader } from '../../runtime/kafka/group-lag-reader.js';
import type { KafkaAccess } from '../../runtime/kafka/kafka-access.js';
import {
  searchLog,
  type LogMatch,
  type LogSearch,
  type LogSearched,
} from '../../runtime/kafka/search-log.js';
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
  /** Only what belongs to this workspace; everything where it is undefined. */
  readonly workspace: string | undefined;
  readonly signal: AbortSignal;
}

type Wanted = Omit<LogSearch, 'topic' | 'kafka' | 'signal'>;
type OfWorkspace = { readonly workspace: string };

/** A record that was found, and what it says; undefined where it can't be decoded. */
export interface Seen<Value> extends LogMatch {
  readonly value: Value | undefined;
}

export interface Search<Value> extends Omit<LogSearched, 'matches'> {
  readonly seen: readonly Seen<Value>[];
}

const nothing = { seen: [], complete: true, oldest: null };

/** Looks through a topic for records of the question's workspace. A topic that is not there has none. */
export async function look<Value extends OfWorkspace>(
  topic: Topic<Value>,
  wanted: Wanted,
  { workspace, signal }: Question,
  { access: kafka, registry }: FindSources,
): Promise<Search<Value>> {
  const searched = await searchOrNothing({ ...wanted, topic: topic.name, kafka, signal });
  if (searched === undefined) return nothing;
  const codec = searched.matches.length === 0 ? undefined : await openCodec(topic, registry);
  const seen = await Promise.all(
    searched.matches.map(async (match) => ({ ...match, value: await decoded(codec, match.record.value) })),
  );
  return { ...searched, seen: seen.filter(({ value }) => isVisible(value, workspace)) };
}

/** The dead letters of a topic, as hops. */
export async function lookForDeadLetters<Value extends OfWorkspace>(
  source: Topic<Value>,
  { matches, since }: Pick<Wanted, 'matches' | 'since'>,
  { workspace, signal }: Question,
  { access: kafka, registry }: FindSources,
): Promise<{ readonly hops: readonly Hop[]; readonly complete: boolean }> {
  const topic = deadLettersOf(source);
  const wanted = { matches, most: 10, ...(since === undefined ? {} : { since }) };
  const searched = await searchOrNothing({ ...wanted, topic, kafka, signal });
  if (searched === undefined || searched.matches.length === 0)
    return { hops: [], complete: searched?.complete ?? true };
  const codec = await openCodec(source, registry);
  const hops = await Promise.all(
    searched.matches.map(async ({ partition, record }) => {
      const letter = foundDeadLetter(record);
      if (letter === undefined || !isVisible(await decoded(codec, record.value), workspace)) return [];
      const where = `${letter.topic}/${letter.partition} at ${letter.offset}`;
      return [
        hopOf('dead letter', {
          ...{ at: isoOf(letter.at), topic, partition, offset: record.offset },
          detail: `${letter.stage} could not take ${where}: ${letter.code}: ${letter.reason} (letter ${letter.id})`,
        }),
      ];
    }),
  );
  return { hops: hops.flat(), complete: searched.complete };
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

async function decoded<Value>(
  codec: Codec<Value> | undefined,
  bytes: Buffer | null,
): Promise<Value | undefined> {
  if (codec === undefined || bytes === null) return undefined;
  try {
    return await codec.decode(bytes);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE') return undefined;
    throw error;
  }
}

/** Of what can't be decoded nobody knows whose it is: only who may see everything sees it. */
function isVisible(value: OfWorkspace | undefined, workspace: string | undefined): boolean {
  return workspace === undefined || value?.workspace === workspace;
}
