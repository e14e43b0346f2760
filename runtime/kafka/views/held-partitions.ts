import type { Topic } from '../../../topics/topic.js';
import type { Codec } from '../../codec.js';
import { pause, untilAvailable } from '../../backoff.js';
import { reasonOf, type TelltaleError } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import { kafkaUnreachable, type KafkaAccess } from '../client/kafka-access.js';
import { sharedRounds } from '../consume/topic-growth.js';
import { logEnd, openLog, type LogAccess } from '../consume/log-access.js';
import { connectLog, startPartitionReader, type PartitionReader } from '../consume/partition-reader.js';
import type { Delivery } from '../consume/read-from-broker.js';
import { AppliedPositions, LogEnds, isDecided } from './view-positions.js';
import { checkpointOf, decoderOf, startingPoint } from './follow-topic.js';
import type { ViewTarget } from './view-target.js';

interface HeldPartitionsOptions<Value> {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly kafka: KafkaAccess;
  readonly metrics: Metrics;
  /** How long `upToDate` and `decided` wait, milliseconds. */
  readonly timeoutMs?: number;
}

interface Holding<Value> {
  readonly target: ViewTarget<Value>;
  /** Aborted once it is released. */
  readonly released: AbortController;
  /** The partition's log end when its reading started; undefined before that. */
  goal: number | undefined;
  /** The work in progress: starting to read, or applying a delivery. */
  working: Promise<unknown>;
}

/** To check again after an await: the compiler assumes that an earlier answer still holds. */
function isReleased({ released }: Pick<Holding<unknown>, 'released'>): boolean {
  return released.signal.aborted;
}

const retryMs = 200;

/** Some partitions of a compacted topic, each read into its own target and followed. */
export class HeldPartitions<Value> {
  private readonly timeoutMs: number;
  private readonly log: LogAccess;
  private readonly ends: LogEnds;
  private readonly positions = new AppliedPositions();
  private readonly holdings = new Map<number, Holding<Value>>();
  private readonly stopped = new AbortController();
  private readonly decode: ReturnType<typeof decoderOf<Value>>;
  /** Undefined if it was stopped before Kafka could be reached. */
  private readonly running: Promise<PartitionReader | undefined>;
  private readonly recount = sharedRounds(() => this.recountOnce());

  constructor(private readonly options: HeldPartitionsOptions<Value>) {
    this.timeoutMs = options.timeoutMs ?? 2_000;
    this.log = openLog(options.topic.name, options.kafka);
    this.ends = new LogEnds(this.log);
    this.decode = decoderOf(options);
    this.running = this.startReader();
  }

  hold(partition: number, target: ViewTarget<Value>): void {
    const holding: Holding<Value> = {
      target,
      released: new AbortController(),
      goal: undefined,
      working: Promise.resolve(),
    };
    this.holdings.set(partition, holding);
    holding.working = this.begin(partition, holding);
  }

  /** Resolves once nothing of the partition is applied any more. */
  async release(partition: number): Promise<void> {
    const holding = this.holdings.get(partition);
    if (holding === undefined) return;
    this.holdings.delete(partition);
    holding.released.abort();
    this.positions.forget(partition);
    (await this.running)?.remove(partition);
    await holding.working.catch(() => undefined);
  }

  /** Whether everything that the partition had when its reading started is applied. */
  isCaughtUp(partition: number): boolean {
    const goal = this.holdings.get(partition)?.goal;
    return goal !== undefined && (this.positions.of(partition)?.position ?? -1) >= goal;
  }

  /**
   * Resolves once everything that the partition had at the time of the call is applied. Rejects with
   * KAFKA_UNREACHABLE if that takes too long.
   */
  upToDate(partition: number): Promise<void> {
    return this.reachEnd(partition, Date.now() + this.timeoutMs);
  }

  /** Like `upToDate`, but also waits for open transactions with a record of the key (see CompactedView). */
  async decided(partition: number, key: string): Promise<void> {
    const deadline = Date.now() + this.timeoutMs;
    await this.reachEnd(partition, deadline);
    const reader = await this.running;
    if (reader === undefined || !(await isDecided(reader, this.positions, { partition, key, deadline })))
      throw this.unreachable();
  }

  /** How many partitions the topic has now. */
  async countPartitions(): Promise<number> {
    await this.running;
    await this.recount();
    return this.log.partitions.length;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    const reader = await this.running;
    await Promise.all([...this.holdings.keys()].map((partition) => this.release(partition)));
    await reader?.stop();
    await this.log.close();
  }

  private async startReader(): Promise<PartitionReader | undefined> {
    const { log } = this;
    const { topic, kafka, metrics } = this.options;
    if (!(await connectLog(log, kafka.logger, this.stopped.signal))) return undefined;
    return startPartitionReader({
      ...{ topic: topic.name, log, logger: kafka.logger, metrics, from: new Map<number, number>() },
      deliver: async (deliveries) => {
        await Promise.all(deliveries.map((delivery) => this.apply(delivery)));
      },
    });
  }

  private async apply(delivery: Delivery): Promise<void> {
    const { partition } = delivery;
    const holding = this.holdings.get(partition);
    const before = this.positions.of(partition);
    if (holding === undefined || delivery.position === before?.position) return;
    const reached = checkpointOf(delivery, before);
    holding.working = this.decode([delivery]).then((changes) =>
      holding.target.apply(changes, {
        clusterId: this.log.clusterId,
        topic: this.options.topic.name,
        savedAt: Date.now(),
        partitions: { [partition]: reached },
      }),
    );
    await holding.working;
    // Only now, because callers that wait for a position read the data right after.
    if (this.holdings.get(partition) === holding) this.positions.set(partition, reached);
  }

  private async begin(partition: number, holding: Holding<Value>): Promise<void> {
    const { topic, kafka } = this.options;
    const reader = await this.running;
    while (reader !== undefined && !isReleased(holding)) {
      try {
        await this.beginAt(partition, holding, reader);
        return;
      } catch (error) {
        kafka.logger.warn(
          { event: 'view-not-started', topic: topic.name, partition, reason: reasonOf(error) },
          'the view of a partition cannot start yet; trying again',
        );
        await pause(retryMs, holding.released.signal);
        await this.recount().catch(() => undefined);
      }
    }
  }

  private async beginAt(partition: number, holding: Holding<Value>, reader: PartitionReader): Promise<void> {
    const { log, options } = this;
    const starts = await startingPoint({ ...options, target: holding.target }, log, [partition]);
    const start = starts.get(partition);
    const goal = (await log.offsets(new Map([[partition, logEnd]]))).get(partition);
    if (start === undefined || goal === undefined) throw new Error('Kafka returned no start or end offset');
    if (isReleased(holding)) return;
    this.positions.set(partition, start);
    holding.goal = goal;
    reader.add(new Map([[partition, start.restartAt]]));
  }

  private async recountOnce(): Promise<void> {
    try {
      await this.log.recount();
    } catch (error) {
      // If no broker answers, a reader that holds partitions reconnects by itself.
      if (this.holdings.size === 0) await this.log.refresh();
      else throw error;
    }
  }

  private async reachEnd(partition: number, deadline: number): Promise<void> {
    const end = await untilAvailable(() => this.ends.of(partition), deadline);
    if (!(await this.positions.reached(partition, end, deadline))) throw this.unreachable();
  }

  private unreachable(): TelltaleError {
    return kafkaUnreachable(this.options.kafka);
  }
}
