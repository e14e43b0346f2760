import { TelltaleError, reasonOf } from '../../errors.js';
import type { Counter, Metrics } from '../../metrics.js';
import { Backoff, pause } from '../../backoff.js';
import { sizeOf, type EncodedRecord } from '../produce/appender.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { openTransactionalProducer, type TransactionalProducer } from './transactional-producer.js';

/** Records that must be appended once, however often and wherever the same call arrives. */
export interface IdempotentAppend<Entry> {
  /**
   * The same for all calls that can be repeats of each other. It decides which transactional id they share,
   * and so which callers fence each other.
   */
  readonly group: string;
  /** Its own id first, then the ids under which an earlier call may have been appended. */
  readonly ids: readonly string[];
  /** The entry that a repeat will find. */
  readonly entry: Entry;
  readonly records: readonly EncodedRecord[];
}

export type IdempotentAppendResult<Entry> =
  { readonly kind: 'appended' } | { readonly kind: 'found'; readonly entry: Entry };

export interface IdempotentAppendContext<Entry> {
  readonly kafka: KafkaAccess;
  /** A call takes effect once across all processes that use the same name. */
  readonly name: string;
  /** The topics that calls may append to. */
  readonly writes: readonly string[];
  /**
   * Finds what was appended under an id. It must know everything that was committed before the call (up to
   * the high watermark, because the last stable offset may lag behind); rejects if it can't.
   */
  readonly lookup: (id: string) => Promise<Entry | undefined>;
  /** Whether the entry found under one of a call's ids is that of the same call, whose entry is `own`. */
  readonly isRepeat: (found: Entry, own: Entry) => boolean;
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

interface Waiting<Entry> {
  readonly call: IdempotentAppend<Entry>;
  settled: boolean;
  readonly resolve: (result: IdempotentAppendResult<Entry>) => void;
}

/**
 * The most calls that share a transaction, and the records and bytes after which no further call joins it:
 * the transaction has to end long before its timeout.
 */
const batchSize = 100;
const batchRecords = 10_000;
const batchBytes = 16 * 1024 * 1024;

/** After this long without being fenced, a process assumes that no other one appends under the id. */
const contestedMs = 5_000;

/** The calls of one transactional id, decided one batch after another. */
export class IdempotentAppendGroup<Entry> {
  private readonly transactionalId: string;
  private readonly outcomes: Counter<'outcome'>;
  private readonly queue: Waiting<Entry>[] = [];
  private producer: TransactionalProducer | undefined;
  /** Until then another process is assumed to append under the same id: it has fenced the producer. */
  private contestedUntil = -Infinity;
  /** The producer has fenced all others and not appended since: the calls that it fenced for have timed out. */
  private hasUnusedFence = false;
  private working: Promise<void> | undefined;
  private lastFailure: unknown;
  /**
   * What the last transaction appended. A commit is confirmed before its records can be read, but no transaction
   * accepts records before those of its predecessor can be read. So `lookup` finds everything older than the last
   * transaction.
   */
  private lastAppended = new Map<string, Entry>();

  constructor(
    index: number,
    private readonly context: IdempotentAppendContext<Entry>,
  ) {
    this.transactionalId = `${context.name}-${index}`;
    this.outcomes = context.metrics.counter(
      'telltale_append_once_calls_total',
      'Calls under an idempotency key, and transactions that had to start over.',
      ['outcome'],
    );
  }

  append(call: IdempotentAppend<Entry>): Promise<IdempotentAppendResult<Entry>> {
    const { timeoutMs } = this.context;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.settled = true;
        this.outcomes.inc({ outcome: 'timed-out' });
        const topic = call.records[0]?.topic ?? '';
        reject(new TelltaleError('APPEND_TIMED_OUT', { topic, ms: timeoutMs }, { cause: this.lastFailure }));
      }, timeoutMs);
      const waiting: Waiting<Entry> = {
        call,
        settled: false,
        resolve: (result) => {
          if (waiting.settled) return;
          waiting.settled = true;
          clearTimeout(timer);
          this.outcomes.inc({ outcome: result.kind });
          resolve(result);
        },
      };
      this.queue.push(waiting);
      this.wake();
    });
  }

  async stop(): Promise<void> {
    while (this.working !== undefined) await this.working;
    await this.producer?.discard();
  }

  private wake(): void {
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      if (this.queue.length > 0) this.wake();
    });
  }

  private async work(): Promise<void> {
    const backoff = new Backoff(10, 500);
    for (let batch = takeBatch(this.queue); batch.length > 0; batch = takeBatch(this.queue)) {
      const began = performance.now();
      try {
        await this.decide(batch);
        backoff.succeeded();
      } catch (error) {
        this.startOver(batch, error);
        const ms = backoff.next();
        await pause(Math.random() * (isFenced(error) ? Math.max(ms, this.restAfter(began)) : ms));
      }
    }
  }

  /**
   * The process that fenced this one needs about as long as this one did since `began`; an earlier retry
   * would fence it in turn. No caller waits longer than the timeout.
   */
  private restAfter(began: number): number {
    return Math.min(2 * (performance.now() - began), this.context.timeoutMs);
  }

  /** Settles each call whose lookup succeeds; rejects if any lookup failed. */
  private async decide(batch: readonly Waiting<Entry>[]): Promise<void> {
    const producer = await this.orDiscard(this.fencingProducer());
    const lookups = await Promise.allSettled(batch.map(({ call }) => this.find(call)));
    const news = batch.filter(({ resolve, settled }, at) => {
      const lookup = lookups[at];
      if (lookup?.status !== 'fulfilled') return false;
      if (lookup.value !== undefined) resolve({ kind: 'found', entry: lookup.value });
      return lookup.value === undefined && !settled;
    });
    if (news.length > 0) {
      this.hasUnusedFence = false;
      await this.orDiscard(producer.commit(news.flatMap(({ call }) => call.records)));
      this.lastAppended = new Map(news.map(({ call }) => [call.ids[0] ?? '', call.entry]));
      for (const { resolve } of news) resolve({ kind: 'appended' });
    }
    const failed = lookups.find((lookup) => lookup.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /**
   * After a failure the outcome of the last transaction is unknown. The next producer that fences waits for
   * its end, and then the lookup finds what was committed. A failed lookup leaves the producer as it is.
   */
  private async orDiscard<Done>(work: Promise<Done>): Promise<Done> {
    try {
      return await work;
    } catch (error) {
      if (isFenced(error)) {
        this.contestedUntil = performance.now() + contestedMs;
      } else {
        void this.producer?.discard();
        this.producer = undefined;
      }
      throw error;
    }
  }

  /** While others append under the id too, each batch fences them first: else it would be fenced itself. */
  private async fencingProducer(): Promise<TransactionalProducer> {
    const isContested = performance.now() <= this.contestedUntil && !this.hasUnusedFence;
    if (this.producer !== undefined && !isContested) return this.producer;
    this.lastAppended = new Map();
    if (this.producer === undefined) {
      const { kafka, writes } = this.context;
      this.producer = await openTransactionalProducer(kafka, this.transactionalId, { topics: writes });
    } else await this.producer.takeBack();
    this.hasUnusedFence = true;
    return this.producer;
  }

  private async find({ ids, entry: own }: IdempotentAppend<Entry>): Promise<Entry | undefined> {
    const { lookup, isRepeat } = this.context;
    for (const id of ids) {
      const found = this.lastAppended.get(id) ?? (await lookup(id));
      if (found !== undefined && isRepeat(found, own)) return found;
    }
    return undefined;
  }

  private startOver(batch: readonly Waiting<Entry>[], error: unknown): void {
    this.lastFailure = error;
    this.outcomes.inc({ outcome: 'started-over' });
    this.context.kafka.logger.debug(
      {
        event: 'idempotent-append-retried',
        transactionalId: this.transactionalId,
        reason: reasonOf(error),
      },
      'an append under a key starts over',
    );
    this.queue.unshift(...batch);
  }
}

function isFenced(error: unknown): boolean {
  return error instanceof TelltaleError && error.code === 'PRODUCER_FENCED';
}

/**
 * Takes calls that still wait, but only one of those that could be repeats of each other: the second has to see the
 * first.
 */
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
