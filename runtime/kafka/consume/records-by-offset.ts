import { pause, untilAvailable } from '../../backoff.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import type { LogRecord } from '../protocol/record-batches.js';
import { fetchPartition, openLog, type LogAccess } from './log-access.js';

interface RecordsByOffsetOptions {
  readonly topic: string;
  readonly kafka: KafkaAccess;
  /** How long a question waits, milliseconds. */
  readonly timeoutMs?: number;
}

const retryMs = 200;

/**
 * Single records of a topic, committed ones or not. Over connections of its own, which the first question opens: a
 * broker answers the requests of a connection one after another, and those of a reader wait for new records.
 */
export class RecordsByOffset {
  private readonly log: LogAccess;
  private readonly timeoutMs: number;
  private opening: Promise<void> | undefined;
  /** The last question to each broker. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor({ topic, kafka, timeoutMs = 2_000 }: RecordsByOffsetOptions) {
    this.log = openLog(topic, kafka);
    this.timeoutMs = timeoutMs;
  }

  /** Undefined where the log has no such record any more, or Kafka does not answer in time. */
  read(partition: number, offset: number): Promise<LogRecord | undefined> {
    const deadline = Date.now() + this.timeoutMs;
    return untilAvailable(() => this.readOnce(partition, offset, deadline), deadline);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private async readOnce(
    partition: number,
    offset: number,
    deadline: number,
  ): Promise<LogRecord | undefined> {
    const opening = (this.opening ??= this.log.refresh());
    try {
      await opening;
      const [leader = ''] = this.log.byLeader([partition]).keys();
      return await this.inTurn(leader, async () => {
        if (Date.now() > deadline) return undefined; // nobody waits for it
        // Kafka answers with the whole batch that has the offset, however small the limit.
        const fetched = await fetchPartition(this.log, leader, { partition, from: offset, maxBytes: 1 });
        return fetched.batches.flatMap(({ records }) => records).find((record) => record.offset === offset);
      });
    } catch (error) {
      // The leader has moved, or the connection is broken.
      await pause(retryMs);
      if (this.opening === opening) this.opening = undefined;
      throw error;
    }
  }

  /** One after another, because kafkajs opens a connection for each of two fetches that begin at once. */
  private inTurn<Result>(leader: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.turns.get(leader) ?? Promise.resolve()).then(work);
    this.turns.set(
      leader,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
