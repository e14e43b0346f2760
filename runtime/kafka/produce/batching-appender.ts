import type { AppendConfig } from '../client/config.js';
import { TelltaleError, reasonOf } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import { largestRecord, sizeOf, type EncodedRecord, type AppendPressure, type Appender } from './appender.js';
import { type Batch, BatchQueue, type PendingAppend, PendingAppends } from './batch-queue.js';
import { openProducerSlot, type ProducerSlot } from './producer-slot.js';
import { pause } from '../../backoff.js';
import { watchBrokers, type BrokerWatch } from '../client/kafka-watch.js';
import { kafkaUnreachable, type KafkaAccess } from '../client/kafka-access.js';

interface BatchingAppenderOptions extends KafkaAccess {
  readonly metrics: Metrics;
  readonly config: AppendConfig;
}

const stopPollMs = 5;

/**
 * Appends that share requests to Kafka: a record is sent at once if nothing is in flight, and otherwise waits
 * briefly for more records. Rejects with KAFKA_UNREACHABLE if no broker answers at the start.
 */
export async function openBatchingAppender(options: BatchingAppenderOptions): Promise<Appender> {
  const { brokers, clientId, logger, config, security } = options;
  const watch = watchBrokers(security.openSocket);
  const access = { brokers, clientId, logger, security: { ...security, openSocket: watch.openSocket } };
  const slots: ProducerSlot[] = [];
  const appender = new BatchingAppender(slots, watch, options);
  const opening = Array.from({ length: config.APPEND_LANES }, () =>
    openProducerSlot({ access, onReady: appender.flush }),
  );
  const opened = await Promise.allSettled(opening);
  for (const slot of opened) if (slot.status === 'fulfilled') slots.push(slot.value);
  const failed = opened.find((slot) => slot.status === 'rejected');
  if (failed === undefined) return appender;
  await appender.stop();
  throw kafkaUnreachable(access, failed.reason);
}

class BatchingAppender implements Appender, AppendPressure {
  readonly pressure: AppendPressure = this;
  private readonly config: AppendConfig;
  private readonly instruments: ReturnType<typeof appendInstruments>;
  private readonly appends: PendingAppends;
  private readonly queue: BatchQueue;
  /** Bytes in batches, plus those that `holding` counts. */
  private counted = 0;
  private sending = 0;
  private soon: NodeJS.Immediate | undefined;
  private linger: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    private readonly slots: readonly ProducerSlot[],
    private readonly watch: BrokerWatch,
    { config, metrics }: BatchingAppenderOptions,
  ) {
    this.config = config;
    this.instruments = appendInstruments(metrics);
    this.queue = new BatchQueue(config.APPEND_BATCH_BYTES);
    this.appends = new PendingAppends({
      timeoutMs: config.APPEND_TIMEOUT_MS,
      failures: this.instruments.failures,
      queue: (append, stage) => this.enqueue(append, stage),
      onQueued: () => this.schedule(),
      onSweep: () => this.count(-this.queue.dropSettled()),
    });
  }

  get bytesInFlight(): number {
    return this.appends.bytesAhead + this.counted;
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
    if (refusal === undefined) return this.appends.begin(stages, bytes);
    this.instruments.failures.inc({ code: refusal.code });
    return Promise.reject(refusal);
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
    this.queue.endWaiting();
    this.flush();
    while (this.appends.size > 0) await pause(stopPollMs);
    this.appends.stop();
    clearTimeout(this.linger);
    clearImmediate(this.soon);
    this.watch.stop();
    await Promise.all(this.slots.map((slot) => slot.close()));
  }

  /** Sends what is due, as far as slots are free. */
  readonly flush = (): void => {
    for (;;) {
      const slot = this.slots.find(({ ready }) => ready);
      const batch = slot === undefined ? undefined : this.queue.takeDue();
      if (slot === undefined || batch === undefined) return;
      this.count(-batch.dropSettled());
      const stalls = this.slots.flatMap(({ stall }) => (stall?.isStalled === true ? [stall] : []));
      if (stalls.length > 0) this.queue.hold(batch, (record) => stalls.some((stall) => stall.waits(record)));
      if (batch.size > 0) void this.send(slot, batch);
    }
  };

  private count(bytes: number): void {
    this.counted += bytes;
    this.instruments.inFlight.set(this.bytesInFlight);
  }

  private refusalOf(topic: string, bytes: number, largest: number): TelltaleError | undefined {
    if (this.bytesInFlight + bytes > this.config.APPEND_HARD_BYTES)
      return new TelltaleError('BUFFER_FULL', { bytes: this.bytesInFlight });
    const failed = (reason: string) => new TelltaleError('APPEND_FAILED', { topic, reason });
    if (this.stopping) return failed('this process is stopping');
    if (largest > largestRecord)
      return failed(`a record has ${largest} bytes; the limit is ${largestRecord}`);
    return undefined;
  }

  private enqueue(append: PendingAppend, stage: readonly EncodedRecord[]): number {
    let all = 0;
    for (const record of stage) {
      const bytes = sizeOf(record);
      this.queue.add(append, record, bytes);
      all += bytes;
    }
    this.counted += all;
    return all;
  }

  private schedule(): void {
    if (this.queue.isEmpty) return;
    if (this.stopping) this.queue.endWaiting();
    if (this.queue.isDue) this.flush();
    // Records that arrive in the same turn of the event loop are sent along.
    else if (this.sending === 0) this.soon ??= setImmediate(this.lingerEnds);
    else this.linger ??= setTimeout(this.lingerEnds, this.config.APPEND_LINGER_MS);
  }

  private readonly lingerEnds = (): void => {
    clearImmediate(this.soon);
    clearTimeout(this.linger);
    this.soon = this.linger = undefined;
    this.queue.endWaiting();
    this.flush();
  };

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
      // Held records may be sent only once a stalled send has ended.
      else this.queue.releaseHeld();
      this.schedule();
    }
  }

  private confirmed(batch: Batch): void {
    this.instruments.records.inc(batch.size);
    this.instruments.bytes.inc(batch.bytes);
    this.count(-batch.bytes);
    for (const owner of batch.owners) this.appends.confirmed(owner);
  }

  private failed(batch: Batch, topic: string, cause: unknown): void {
    const error = new TelltaleError('APPEND_FAILED', { topic, reason: reasonOf(cause) }, { cause });
    this.count(-batch.bytes);
    for (const owner of batch.owners) this.appends.settle(owner, error);
  }

  /** No broker accepts a connection or answers, or no slot got an answer for longer than any caller waits. */
  private kafkaIsAway(): boolean {
    if (this.watch.away || this.slots.some(({ stall }) => stall?.isSilent)) return true;
    const sentBefore = performance.now() - this.config.APPEND_TIMEOUT_MS;
    return this.slots.every(
      ({ replacing, sendingSince }) => replacing || (sendingSince !== undefined && sendingSince < sentBefore),
    );
  }
}

function appendInstruments(metrics: Metrics) {
  return {
    batches: metrics.counter('telltale_append_batches_total', 'Requests to Kafka that were confirmed.'),
    records: metrics.counter('telltale_append_records_total', 'Records that were confirmed.'),
    bytes: metrics.counter('telltale_append_bytes_total', 'Bytes of keys and values that were confirmed.'),
    seconds: metrics.histogram('telltale_append_seconds', 'From sending a batch to its confirmation.'),
    failures: metrics.counter('telltale_append_failures_total', 'Appends that were not confirmed.', ['code']),
    inFlight: metrics.gauge('telltale_append_in_flight_bytes', 'Bytes waiting for confirmation.'),
  };
}
