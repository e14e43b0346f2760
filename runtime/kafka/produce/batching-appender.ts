import type { AppendConfig } from '../client/config.js';
import { TelltaleError, reasonOf } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import { Batch, largestRecord, sizeOf, type PendingAppend } from './append-batch.js';
import { appendInstruments, type AppendInstruments } from './append-instruments.js';
import { openProducerSlot, type ProducerSlot } from './producer-slot.js';
import type { AppendPressure, Appender } from './appender.js';
import { pause } from '../../backoff.js';
import { watchBrokers, type BrokerWatch } from '../client/broker-watch.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import type { EncodedRecord } from './records.js';

export interface BatchingAppenderOptions extends KafkaAccess {
  readonly metrics: Metrics;
  readonly config: AppendConfig;
}

/** A send is never split over requests; brokers take a megabyte a partition where nothing else is said. */
const largestBatch = 768 * 1024;
const sweepEveryMs = 50;
const stopPollMs = 5;

/**
 * Appends that share requests to Kafka: a record goes out at once where nothing is under way, and else waits a moment
 * for company. Rejects with KAFKA_UNREACHABLE where no broker answers at the start.
 */
export async function openBatchingAppender(options: BatchingAppenderOptions): Promise<Appender> {
  const { brokers, clientId, logger, config, security } = options;
  const watch = watchBrokers(security.openSocket);
  const access = { brokers, clientId, logger, security: { ...security, openSocket: watch.openSocket } };
  const slots: ProducerSlot[] = [];
  const appender = new BatchingAppender(slots, watch, options);
  const opening = Array.from({ length: config.APPEND_LANES }, () =>
    openProducerSlot({ access, logger, onReady: appender.flush }),
  );
  const opened = await Promise.allSettled(opening);
  for (const slot of opened) if (slot.status === 'fulfilled') slots.push(slot.value);
  const failed = opened.find((slot) => slot.status === 'rejected');
  if (failed === undefined) return appender;
  await appender.stop();
  throw new TelltaleError('KAFKA_UNREACHABLE', { brokers: brokers.join(', ') }, { cause: failed.reason });
}

class BatchingAppender implements Appender, AppendPressure {
  readonly pressure: AppendPressure = this;
  bytesInFlight = 0;
  private readonly config: AppendConfig;
  private readonly instruments: AppendInstruments;
  private readonly pending = new Set<PendingAppend>();
  private readonly full: Batch[] = [];
  /** Whose records wait for a leader. */
  private readonly held: Batch[] = [];
  private open = new Batch();
  private sending = 0;
  private soon: NodeJS.Immediate | undefined;
  private linger: NodeJS.Timeout | undefined;
  private sweeper: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    private readonly slots: readonly ProducerSlot[],
    private readonly watch: BrokerWatch,
    { config, metrics }: BatchingAppenderOptions,
  ) {
    this.config = config;
    this.instruments = appendInstruments(metrics);
  }

  get soft(): boolean {
    return this.bytesInFlight > this.config.APPEND_SOFT_BYTES;
  }

  get hard(): boolean {
    return this.bytesInFlight > this.config.APPEND_HARD_BYTES || this.kafkaIsAway();
  }

  append(...stages: readonly (readonly EncodedRecord[])[]): Promise<void> {
    const records = stages.flat();
    const first = records[0];
    if (first === undefined) return Promise.resolve();
    const sizes = records.map(sizeOf);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const refusal = this.refusalOf(first.topic, bytes, Math.max(...sizes));
    if (refusal !== undefined) {
      this.instruments.failures.inc({ code: refusal.code });
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      const append: PendingAppend = {
        stages: stages.filter((stage) => stage.length > 0),
        expiresAt: performance.now() + this.config.APPEND_TIMEOUT_MS,
        stage: -1,
        outstanding: 0,
        bytesAhead: bytes,
        settled: false,
        resolve,
        reject,
      };
      this.bytesInFlight += bytes;
      this.pending.add(append);
      this.sweeper ??= setInterval(() => this.sweep(), sweepEveryMs);
      this.advance(append);
    });
  }

  async holding<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.bytesInFlight + bytes > this.config.APPEND_HARD_BYTES) {
      this.instruments.failures.inc({ code: 'BUFFER_FULL' });
      throw new TelltaleError('BUFFER_FULL', { bytes: this.bytesInFlight });
    }
    this.count(bytes);
    try {
      return await work();
    } finally {
      this.count(-bytes);
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.open.due = true;
    this.flush();
    while (this.pending.size > 0) await pause(stopPollMs);
    clearInterval(this.sweeper);
    clearTimeout(this.linger);
    clearImmediate(this.soon);
    this.watch.stop();
    await Promise.all(this.slots.map((slot) => slot.close()));
  }

  /** Sends what is due, as far as slots are free. */
  readonly flush = (): void => {
    for (;;) {
      const slot = this.slots.find(({ ready }) => ready);
      const batch = slot === undefined ? undefined : this.takeDue();
      if (slot === undefined || batch === undefined) return;
      this.count(-batch.split((_, { settled }) => settled).bytes);
      this.hold(batch);
      if (batch.size > 0) void this.send(slot, batch);
    }
  };

  /** Keeps back what waits for a leader. */
  private hold(batch: Batch): void {
    const stalls = this.slots.flatMap(({ stall }) => (stall?.isStalled === true ? [stall] : []));
    if (stalls.length === 0) return;
    const held = batch.split((record) => stalls.some((stall) => stall.waits(record)));
    if (held.size > 0) this.held.push(held);
  }

  private count(bytes: number): void {
    this.bytesInFlight += bytes;
    this.instruments.inFlight.set(this.bytesInFlight);
  }

  private refusalOf(topic: string, bytes: number, largest: number): TelltaleError | undefined {
    if (this.bytesInFlight + bytes > this.config.APPEND_HARD_BYTES)
      return new TelltaleError('BUFFER_FULL', { bytes: this.bytesInFlight });
    const failed = (reason: string) => new TelltaleError('APPEND_FAILED', { topic, reason });
    if (this.stopping) return failed('this process is stopping');
    if (largest > largestRecord) return failed(`a record has ${largest} bytes, ${largestRecord} is the most`);
    return undefined;
  }

  /** Begins with the next stage, or answers the caller where there is none. */
  private advance(append: PendingAppend): void {
    append.stage += 1;
    const stage = append.stages[append.stage];
    if (stage === undefined) {
      this.settle(append);
      return;
    }
    append.outstanding = stage.length;
    for (const record of stage) {
      const bytes = sizeOf(record);
      append.bytesAhead -= bytes;
      if (!this.open.takes(bytes, largestBatch)) {
        this.full.push(this.open);
        this.open = new Batch();
      }
      this.open.add(append, record, bytes);
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.open.size === 0 && this.full.length === 0) return;
    if (this.stopping) this.open.due = true;
    if (this.full.length > 0 || this.open.due || this.open.bytes >= this.config.APPEND_BATCH_BYTES)
      this.flush();
    // What arrives in the same turn of the event loop goes along.
    else if (this.sending === 0) this.soon ??= setImmediate(this.lingerEnds);
    else this.linger ??= setTimeout(this.lingerEnds, this.config.APPEND_LINGER_MS);
  }

  private readonly lingerEnds = (): void => {
    clearImmediate(this.soon);
    clearTimeout(this.linger);
    this.soon = this.linger = undefined;
    this.open.due = true;
    this.flush();
  };

  private takeDue(): Batch | undefined {
    const waiting = this.full.shift();
    if (waiting !== undefined) return waiting;
    if (this.open.size === 0 || !(this.open.due || this.open.bytes >= this.config.APPEND_BATCH_BYTES))
      return undefined;
    const taken = this.open;
    this.open = new Batch();
    return taken;
  }

  private async send(slot: ProducerSlot, batch: Batch): Promise<void> {
    const [first] = batch.records;
    const stopTimer = this.instruments.seconds.startTimer();
    const state = { isStalled: false };
    this.sending += 1;
    this.instruments.inFlight.set(this.bytesInFlight);
    try {
      await slot.send(batch.records, {
        taken: (records) => {
          const taken = new Set(records);
          this.confirmed(batch.split((record) => taken.has(record)));
        },
        stalled: () => {
          state.isStalled = true;
          this.sending -= 1;
        },
      });
      this.instruments.batches.inc();
      this.confirmed(batch);
    } catch (cause) {
      this.failed(batch, first?.topic ?? '', cause);
    } finally {
      stopTimer();
      if (!state.isStalled) this.sending -= 1;
      // Only the end of a send that has stalled lets others go on.
      else this.full.unshift(...this.held.splice(0));
      this.schedule();
    }
  }

  private confirmed(batch: Batch): void {
    this.instruments.records.inc(batch.size);
    this.instruments.bytes.inc(batch.bytes);
    this.count(-batch.bytes);
    for (const owner of batch.owners) {
      owner.outstanding -= 1;
      if (owner.outstanding === 0 && !owner.settled) this.advance(owner);
    }
  }

  private failed(batch: Batch, topic: string, cause: unknown): void {
    const error = new TelltaleError('APPEND_FAILED', { topic, reason: reasonOf(cause) }, { cause });
    this.count(-batch.bytes);
    for (const owner of batch.owners) this.settle(owner, error);
  }

  private settle(append: PendingAppend, error?: TelltaleError): void {
    if (append.settled) return;
    append.settled = true;
    this.pending.delete(append);
    this.bytesInFlight -= append.bytesAhead;
    if (error === undefined) {
      append.resolve();
      return;
    }
    this.instruments.failures.inc({ code: error.code });
    append.reject(error);
  }

  /** Appends stand in the order in which they expire. */
  private sweep(): void {
    const now = performance.now();
    for (const append of this.pending) {
      if (append.expiresAt > now) break;
      const topic = append.stages[append.stage]?.[0]?.topic ?? '';
      this.settle(
        append,
        new TelltaleError('APPEND_TIMED_OUT', { topic, ms: this.config.APPEND_TIMEOUT_MS }),
      );
    }
    for (const batch of this.held) this.count(-batch.split((_, { settled }) => settled).bytes);
    if (this.pending.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }

  /** Nobody takes a connection or answers, or no slot has had an answer for longer than any caller waits. */
  private kafkaIsAway(): boolean {
    if (this.watch.away || this.slots.some(({ stall }) => stall?.isSilent)) return true;
    const sentBefore = performance.now() - this.config.APPEND_TIMEOUT_MS;
    return this.slots.every(
      ({ replacing, sendingSince }) => replacing || (sendingSince !== undefined && sendingSince < sentBefore),
    );
  }
}
