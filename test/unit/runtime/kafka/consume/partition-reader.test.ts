import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { silentLogger } from '../../../../../runtime/logging.js';
import type { LogAccess } from '../../../../../runtime/kafka/consume/log-access.js';
import type { FetchedPartition } from '../../../../../runtime/kafka/protocol/fetch-request.js';
import { startPartitionReader } from '../../../../../runtime/kafka/consume/partition-reader.js';
import { until } from '../../../../support/until.js';

const empty = (partition: number): FetchedPartition => ({
  partition,
  error: 0,
  highWatermark: 0,
  batches: [],
});

/** Broker 1 leads partition 0; partition 1 is led by a broker that can be unavailable. */
class TwoBrokers implements LogAccess {
  readonly clusterId = 'cluster';
  readonly partitions = [0, 1];
  readonly fetches: string[] = [];
  refreshes = 0;
  secondLeader = '2';
  failureOfSecond: Error | undefined;

  refresh(): Promise<void> {
    this.refreshes += 1;
    return Promise.resolve();
  }
  recount = (): Promise<void> => Promise.resolve();
  hasLeader = (partition: number): boolean => partition === 0 || this.secondLeader !== '';
  byLeader = (partitions: readonly number[]): ReadonlyMap<string, readonly number[]> =>
    new Map(partitions.map((partition) => [partition === 0 ? '1' : this.secondLeader, [partition]]));
  offsets = (at: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, number>> => Promise.resolve(at);
  close = (): Promise<void> => Promise.resolve();

  async fetch({ leader, from }: Parameters<LogAccess['fetch']>[0]): Promise<readonly FetchedPartition[]> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (leader === '2' && this.failureOfSecond !== undefined) throw this.failureOfSecond;
    this.fetches.push(leader);
    return [...from.keys()].map(empty);
  }

  /** Resolves after some more fetches from a broker; returns all brokers fetched from since. */
  async more(leader: string): Promise<ReadonlySet<string>> {
    const before = this.fetches.length;
    await until('the broker is read', () =>
      Promise.resolve(this.fetches.slice(before).filter((each) => each === leader).length > 5),
    );
    return new Set(this.fetches.slice(before));
  }
}

describe('a reader of partitions of several brokers', () => {
  let log: TwoBrokers;
  let stop: () => Promise<void>;
  beforeEach(() => {
    log = new TwoBrokers();
    const from = new Map([
      [0, 0],
      [1, 0],
    ]);
    const deliver = (): Promise<void> => Promise.resolve();
    stop = () => reader.stop();
    const reader = startPartitionReader({ topic: 'topic', log, logger: silentLogger, deliver, from });
  });
  afterEach(() => stop());

  it('continues with the other broker while one is down, and reads that one once it is back', async () => {
    await log.more('2');
    log.failureOfSecond = new kafkajs.KafkaJSConnectionError('connect ECONNREFUSED');
    await log.more('1');
    assert.deepEqual(await log.more('1'), new Set(['1']));
    log.failureOfSecond = undefined;
    await log.more('2');
    assert.equal(log.refreshes, 0);
  });

  it('reads from the new leader once the partitions of the broker have moved', async () => {
    log.failureOfSecond = new kafkajs.KafkaJSConnectionError('connect ECONNREFUSED');
    await log.more('1');
    log.secondLeader = '';
    await log.more('1');
    log.secondLeader = '3';
    await log.more('3');
    assert.equal(log.refreshes, 0);
  });

  it('reconnects if a broker is silent', async () => {
    const error = new kafkajs.KafkaJSError('Request Fetch timed out');
    log.failureOfSecond = Object.assign(error, { name: 'KafkaJSRequestTimeoutError' });
    await until('it has connected anew', () => Promise.resolve(log.refreshes > 0));
    assert.ok((await log.more('1')).has('1'));
  });
});
