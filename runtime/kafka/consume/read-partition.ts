import type { Topic } from '../../../topics/topic.js';
import type { Codec } from '../../codec.js';
import { TelltaleError } from '../../errors.js';
import type { KafkaAccess } from '../client/kafka-access.js';
import { logEnd, logStart, openLog } from './log-access.js';
import { startPartitionReader } from './partition-reader.js';

export interface PartitionValues<Value> {
  /** The last value of each key. */
  readonly values: ReadonlyMap<string, Value>;
  /** Records that could not be decoded, and were skipped. */
  readonly undecodable: number;
}

/**
 * The last committed value of each key in one partition of a compacted topic, up to its end when asked. Rejects with
 * KAFKA_UNREACHABLE where that takes longer than `timeoutMs`, and as soon as `signal` is aborted.
 */
export async function readPartition<Value>(options: {
  readonly topic: Topic<Value>;
  readonly codec: Codec<Value>;
  readonly partition: number;
  readonly kafka: KafkaAccess;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}): Promise<PartitionValues<Value>> {
  const { topic, codec, partition, kafka, timeoutMs = 60_000 } = options;
  const cancelled = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const log = openLog(topic.name, kafka);
  const values = new Map<string, Value>();
  let undecodable = 0;
  try {
    await log.refresh();
    const start = (await log.offsets(new Map([[partition, logStart]]))).get(partition) ?? 0;
    const end = (await log.offsets(new Map([[partition, logEnd]]))).get(partition) ?? 0;
    if (start >= end) return { values, undecodable };
    const finished = ending(cancelled, kafka.brokers);
    const reader = startPartitionReader({
      topic: topic.name,
      log,
      logger: kafka.logger,
      from: new Map([[partition, start]]),
      maxBytesPerPartition: 8 * 1024 * 1024,
      async deliver(deliveries) {
        for (const { records, position } of deliveries) {
          for (const { key, value } of records) {
            if (key === null) continue;
            const decoded = value === null ? null : await decode(codec, value);
            if (decoded === undefined) undecodable += 1;
            else if (decoded === null) values.delete(key.toString());
            else values.set(key.toString(), decoded);
          }
          if (position >= end) finished.resolve();
        }
      },
    });
    try {
      await finished.promise;
    } finally {
      await reader.stop();
    }
    return { values, undecodable };
  } finally {
    await log.close().catch(() => undefined);
  }
}

interface Ending {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** Resolved by a call of `resolve`, or rejected by the signal. */
function ending(cancelled: AbortSignal, brokers: readonly string[]): Ending {
  let resolve!: () => void;
  const promise = new Promise<void>((fulfil, reject) => {
    const refuse = (): void => reject(new TelltaleError('KAFKA_UNREACHABLE', { brokers: brokers.join(',') }));
    resolve = fulfil;
    if (cancelled.aborted) refuse();
    else cancelled.addEventListener('abort', refuse, { once: true });
  });
  return { promise, resolve };
}

/** Undefined where the bytes are poison; a registry that is away rejects, and the delivery is retried. */
async function decode<Value>(codec: Codec<Value>, bytes: Buffer): Promise<Value | undefined> {
  try {
    return await codec.decode(bytes);
  } catch (error) {
    if (error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE') return undefined;
    throw error;
  }
}
