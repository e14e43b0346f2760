import { TelltaleError, reasonOf } from '../../errors.js';
import type { Logger } from '../../logging.js';
import type { Metrics } from '../../metrics.js';
import { Backoff, pause } from '../../backoff.js';
import { sizeOf } from '../produce/append-batch.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import type { IdempotentAppend, IdempotentAppendResult } from './idempotent-append.js';
import { openTransactionalProducer, type TransactionalProducer } from './transactional-producer.js';

export interface IdempotentAppendContext<Entry> {
  readonly kafka: KafkaAccess;
  /** Processes with the same name decide among each other. */
  readonly name: string;
  /** The topics that calls may append to. */
  readonly writes: readonly string[];
  /**
   * What was appended under an id. It must know all that was committed before it was asked (up to the high watermark:
   * the last stable offset may lag behind); rejects where it can't.
   */
  readonly lookup: (id: string) => Promise<Entry | undefined>;
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The calls of one transactional id, decided one batch after the other. */
export interface IdempotentAppendGroup<Entry> {
  append(call: IdempotentAppend<Entry>): Promise<IdempotentAppendResult<Entry>>;
  stop(): Promise<void>;
}

interface Waiting<Entry> {
  readonly call: IdempotentAppend<Entry>;
  settled: boolean;
  readonly resolve: (result: IdempotentAppendResult<Entry>) => void;
}

/** Calls that share a transaction, and records and bytes after which no further call joins: it has to end long before its time-out. */
const batchSize = 100;
const batchRecords = 10_000;
const batchBytes = 16 * 1024 * 1024;

export function startIdempotentAppendGroup<Entry>(
  index: number,
  context: IdempotentAppendContext<Entry>,
): IdempotentAppendGroup<Entry> {
  const { kafka, name, lookup, timeoutMs, logger, metrics } = context;
  const transactionalId = `${name}-${index}`;
  const outcomes = metrics.counter(
    'telltale_append_once_calls_total',
    'Calls under an idempotency key, and transactions that had to start over.',
    ['outcome'],
  );
  const queue: Waiting<Entry>[] = [];
  let producer: TransactionalProducer | undefined;
  let working: Promise<void> | undefined;
  let lastFailure: unknown;
  /**
   * What the last transaction appended. A commit is confirmed before it can be read, but no transaction takes records
   * before its predecessor can be read: so what is older than the last one is for `lookup` to find.
   */
  let lastAppended = new Map<string, Entry>();

  const find = async ({ ids, isRepeat }: IdempotentAppend<Entry>): Promise<Entry | undefined> => {
    for (const id of ids) {
      const entry = lastAppended.get(id) ?? (await lookup(id));
      if (entry !== undefined && isRepeat(entry)) return entry;
    }
    return undefined;
  };

  const decide = async (batch: readonly Waiting<Entry>[]): Promise<void> => {
    if (producer === undefined) {
      producer = await openTransactionalProducer(kafka, transactionalId, {
        topics: context.writes,
      });
      lastAppended = new Map();
    }
    const found = await Promise.all(batch.map(({ call }) => find(call)));
    const news = batch.filter(({ resolve, settled }, at) => {
      const entry = found[at];
      if (entry !== undefined) resolve({ kind: 'found', entry });
      return entry === undefined && !settled;
    });
    if (news.length === 0) return;
    await producer.commit(news.flatMap(({ call }) => call.records));
    lastAppended = new Map(news.map(({ call }) => [call.ids[0] ?? '', call.entry]));
    for (const { resolve } of news) resolve({ kind: 'appended' });
  };

  const work = async (): Promise<void> => {
    const backoff = new Backoff(10, 500);
    for (let batch = takeBatch(queue); batch.length > 0; batch = takeBatch(queue)) {
      try {
        await decide(batch);
        backoff.succeeded();
      } catch (error) {
        // Whatever became of the transaction: the next producer waits for its end, and the look-up finds what got through.
        lastFailure = error;
        outcomes.inc({ outcome: 'started-over' });
        logger.debug(
          { event: 'idempotent-append-retried', transactionalId, reason: reasonOf(error) },
          'an append under a key starts over',
        );
        void producer?.discard();
        producer = undefined;
        queue.unshift(...batch);
        await pause(Math.random() * backoff.next());
      }
    }
  };

  const wake = (): void => {
    working ??= work().finally(() => {
      working = undefined;
      if (queue.length > 0) wake();
    });
  };

  return {
    append: (call) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.settled = true;
          outcomes.inc({ outcome: 'timed-out' });
          const topic = call.records[0]?.topic ?? '';
          reject(new TelltaleError('APPEND_TIMED_OUT', { topic, ms: timeoutMs }, { cause: lastFailure }));
        }, timeoutMs);
        const waiting: Waiting<Entry> = {
          call,
          settled: false,
          resolve: (result) => {
            if (waiting.settled) return;
            waiting.settled = true;
            clearTimeout(timer);
            outcomes.inc({ outcome: result.kind });
            resolve(result);
          },
        };
        queue.push(waiting);
        wake();
      }),
    async stop() {
      while (working !== undefined) await working;
      await producer?.discard();
    },
  };
}

/** Calls that wait still, at most one of those that could be repeats of each other: the second has to see the first. */
function takeBatch<Entry>(queue: Waiting<Entry>[]): Waiting<Entry>[] {
  const batch: Waiting<Entry>[] = [];
  const later: Waiting<Entry>[] = [];
  const taken = new Set<string>();
  let records = 0;
  let bytes = 0;
  for (const waiting of queue.splice(0)) {
    const { ids } = waiting.call;
    if (waiting.settled) continue;
    const full = batch.length === batchSize || records >= batchRecords || bytes >= batchBytes;
    if (full || ids.some((id) => taken.has(id))) {
      later.push(waiting);
      continue;
    }
    for (const id of ids) taken.add(id);
    records += waiting.call.records.length;
    for (const record of waiting.call.records) bytes += sizeOf(record);
    batch.push(waiting);
  }
  queue.push(...later);
  return batch;
}
