import type Cluster from 'kafkajs/src/cluster/index.js';
import { Backoff, pause } from '../../backoff.js';
import type { Logger } from '../../logging.js';
import { logThrottling } from '../client/cluster.js';
import {
  partitionOf,
  produce,
  type OutgoingPart,
  type ProducerIdentity,
} from '../protocol/produce-request.js';
import { kafkaError, isPassing, tryWhilePassing } from '../protocol/kafka-error.js';
import type { EncodedRecord } from './appender.js';

/** What a send reports to its caller before it ends. */
export interface SendProgress {
  /** Every in-sync replica has these; others still have to be sent again. */
  taken(records: readonly EncodedRecord[]): void;
  /** Some records wait for a leader; those for which `waits` is false may be sent meanwhile. Called once. */
  stalled(): void;
}

/** What a sender reports about records that wait for a leader. */
export type Stall = Pick<RecordSender, 'isStalled' | 'isSilent' | 'waits'>;

const untold: SendProgress = { taken: () => undefined, stalled: () => undefined };

/**
 * Sends the records of one producer, each once.
 *
 * Each broker that leads some of their partitions gets one request, and all are awaited. Only records that
 * were not taken are sent again, under the same sequence numbers: the broker confirms those that it already
 * has, and does not append them twice. So a producer has at most one request in flight for a partition. After
 * a rejection the outcome is unknown: the sender must not be used any more.
 */
export class RecordSender {
  private readonly sequences = new Map<string, number>();
  /** Partitions whose records are sent again until a leader takes them. */
  private readonly stalledPartitions = new Set<string>();
  /** Brokers that did not answer the last request. */
  private readonly silentLeaders = new Set<number>();

  constructor(
    private readonly cluster: Cluster,
    private readonly identity: ProducerIdentity,
    private readonly logger: Logger,
    /** Aborted once nobody waits for the outcome: nothing is sent after that. */
    private readonly closed: AbortSignal,
    /** Called before anything is sent, with all partitions that will be written to. */
    private readonly admit: (parts: readonly OutgoingPart[]) => Promise<void> = () => Promise.resolve(),
  ) {}

  /** Resolves once every in-sync replica has all records; rejects with kafkajs's error if it takes longer. */
  async send(
    records: readonly EncodedRecord[],
    retryForMs: number,
    progress: SendProgress = untold,
  ): Promise<void> {
    const backoff = new Backoff(20, 150);
    const topics = [...new Set(records.map(({ topic }) => topic))];
    let parts: readonly Part[] | undefined;
    let isAdmitted = false;
    let isStalled = false;
    const attempt = async (): Promise<void> => {
      await this.cluster.addMultipleTargetTopics(topics);
      await this.cluster.refreshMetadataIfNecessary();
      parts ??= this.partsOf(records);
      if (!isAdmitted) await this.admit(parts);
      isAdmitted = true;
      const { untaken, failure } = await this.sendOnce(parts);
      if (untaken.length === 0) return;
      const rest = new Set(untaken);
      const taken = parts.filter((part) => !rest.has(part));
      this.settle(taken);
      for (const part of untaken) this.stalledPartitions.add(idOf(part));
      if (taken.length > 0) progress.taken(taken.flatMap((part) => part.records));
      if (!isStalled) progress.stalled();
      isStalled = true;
      parts = untaken;
      throw failure;
    };
    const beforeNext = async (): Promise<void> => {
      await pause(backoff.next(), this.closed);
      // Leaders may have moved. If the refresh fails, the next try reports why.
      await this.cluster.refreshMetadata().catch(() => undefined);
    };
    try {
      await tryWhilePassing(attempt, { retryForMs, beforeNext, closed: this.closed });
    } finally {
      this.settle(parts ?? []);
    }
  }

  get isStalled(): boolean {
    return this.stalledPartitions.size > 0;
  }

  /** Whether a record has to wait for resent ones: it shares a partition, or its leader does not answer. */
  waits(record: EncodedRecord): boolean {
    const { topic } = record;
    const metadata = this.cluster.findTopicPartitionMetadata(topic);
    const partition = fixedPartition(record, metadata.length);
    if (partition === undefined || metadata.length === 0) return false;
    if (this.stalledPartitions.has(idOf({ topic, partition }))) return true;
    const leader = metadata.find(({ partitionId }) => partitionId === partition)?.leader ?? -1;
    return leader < 0 || this.silentLeaders.has(leader);
  }

  /** Whether no broker answers any more. */
  get isSilent(): boolean {
    return (
      this.silentLeaders.size > 0 &&
      this.cluster.brokerPool.getNodeIds().every((id) => this.silentLeaders.has(Number(id)))
    );
  }

  private settle(parts: readonly Part[]): void {
    for (const part of parts) this.stalledPartitions.delete(idOf(part));
    if (this.stalledPartitions.size === 0) this.silentLeaders.clear();
  }

  /** Groups the records by partition, in their order, and gives each part its sequence numbers. */
  private partsOf(records: readonly EncodedRecord[]): readonly Part[] {
    const groups = new Map<string, { topic: string; partition: number; records: EncodedRecord[] }>();
    for (const record of records) {
      const { topic } = record;
      const partition = this.partitionFor(record);
      const id = idOf({ topic, partition });
      if (this.stalledPartitions.has(id)) throw kafkaError(leaderNotAvailable);
      const group = groups.get(id);
      if (group === undefined) groups.set(id, { topic, partition, records: [record] });
      else group.records.push(record);
    }
    return [...groups].map(([id, group]) => {
      const firstSequence = this.sequences.get(id) ?? 0;
      this.sequences.set(id, (firstSequence + group.records.length) % sequences);
      return { ...group, firstSequence };
    });
  }

  private partitionFor(record: EncodedRecord): number {
    if (record.partition !== undefined) return record.partition;
    const { length } = this.cluster.findTopicPartitionMetadata(record.topic);
    if (length === 0) throw kafkaError(leaderNotAvailable);
    return fixedPartition(record, length) ?? Math.floor(Math.random() * length);
  }

  private async sendOnce(parts: readonly Part[]): Promise<Outcome> {
    const outcomes = await Promise.all(
      [...this.byLeader(parts)].map(([leader, those]) => this.sendTo(leader, those)),
    );
    const fatal = outcomes.find(({ failure }) => failure !== undefined && !isPassing(failure));
    if (fatal !== undefined) throw fatal.failure;
    return {
      untaken: outcomes.flatMap(({ untaken }) => untaken),
      failure: outcomes.find(({ failure }) => failure !== undefined)?.failure,
    };
  }

  private byLeader(parts: readonly Part[]): ReadonlyMap<number, readonly Part[]> {
    const leaders = new Map<number, Part[]>();
    for (const part of parts) {
      const metadata = this.cluster.findTopicPartitionMetadata(part.topic);
      const leader = metadata.find(({ partitionId }) => partitionId === part.partition)?.leader ?? -1;
      leaders.set(leader, [...(leaders.get(leader) ?? []), part]);
    }
    return leaders;
  }

  /** Sends to one broker; returns what it did not take, and why. */
  private async sendTo(leader: number, parts: readonly Part[]): Promise<Outcome> {
    if (leader < 0) return { untaken: parts, failure: kafkaError(leaderNotAvailable) };
    try {
      const broker = await this.cluster.findBroker({ nodeId: String(leader) });
      const answer = await produce(broker, parts, this.identity, replicasWithinMs);
      this.silentLeaders.delete(leader);
      logThrottling(this.logger, 'produce', answer.clientSideThrottleTime);
      const errors = new Map(answer.parts.map((part) => [idOf(part), part.error]));
      const errorOf = (part: OutgoingPart): number => errors.get(idOf(part)) ?? networkException;
      const untaken = parts.filter((part) => !isTaken(errorOf(part)));
      // An error that can't be retried takes precedence.
      const failures = untaken.map((part) => kafkaError(errorOf(part)));
      return { untaken, failure: failures.find((failure) => !isPassing(failure)) ?? failures[0] };
    } catch (failure) {
      this.silentLeaders.add(leader);
      return { untaken: parts, failure };
    }
  }
}

/** The partition that a record must go to, in a topic of this many; undefined if any of them will do. */
function fixedPartition(
  { key, partitionKey, partition }: EncodedRecord,
  partitions: number,
): number | undefined {
  const by = partitionKey ?? key;
  return partition ?? (by === null ? undefined : partitionOf(by, partitions));
}

const idOf = ({ topic, partition }: { readonly topic: string; readonly partition: number }): string =>
  `${topic}/${partition}`;

/** The records of one partition. */
interface Part extends OutgoingPart {
  readonly records: readonly EncodedRecord[];
}

interface Outcome {
  readonly untaken: readonly Part[];
  readonly failure: unknown;
}

/** Sequence numbers have 31 bits, and wrap around to 0. */
const sequences = 2 ** 31;
/** Short enough that after a broker has gone silent, time remains for its successor. */
const replicasWithinMs = 2_000;
const leaderNotAvailable = 5;
const networkException = 13;
/** The broker already has these records, from too long ago to remember their offsets. */
const duplicateSequence = 46;

const isTaken = (error: number): boolean => error === 0 || error === duplicateSequence;
