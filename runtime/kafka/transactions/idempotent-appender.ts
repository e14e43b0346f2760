import { TelltaleError } from '../../errors.js';
import type { IdempotentAppend, IdempotentAppendResult } from './idempotent-append.js';
import { IdempotentAppendGroup, type IdempotentAppendContext } from './idempotent-append-group.js';
import { murmur2 } from '../protocol/partitioning.js';

/**
 * Appends once among all processes that share a name. A group belongs to one of 32 transactional ids, and whoever
 * opens a producer under it first fences every other and waits for the end of its transaction; only then it looks
 * whether the call has been seen. While it is not fenced nobody else can append in that group.
 */
export interface IdempotentAppender<Entry> {
  /** Rejects with APPEND_TIMED_OUT, after which the same call may be made again, anywhere. */
  append(call: IdempotentAppend<Entry>): Promise<IdempotentAppendResult<Entry>>;
  stop(): Promise<void>;
}

/** A power of two. Another number would part calls from their repeats while both are in use: it never changes. */
const buckets = 32;

export function createIdempotentAppender<Entry>(
  context: IdempotentAppendContext<Entry>,
): IdempotentAppender<Entry> {
  const running = new Map<number, IdempotentAppendGroup<Entry>>();
  let stopping = false;
  return {
    append(call) {
      if (stopping) {
        const topic = call.records[0]?.topic ?? '';
        const reason = 'this process is stopping';
        return Promise.reject(new TelltaleError('APPEND_FAILED', { topic, reason }));
      }
      const index = murmur2(Buffer.from(call.group)) & (buckets - 1);
      let bucket = running.get(index);
      if (bucket === undefined) running.set(index, (bucket = new IdempotentAppendGroup(index, context)));
      return bucket.append(call);
    },
    async stop() {
      stopping = true;
      await Promise.all([...running.values()].map((bucket) => bucket.stop()));
    },
  };
}
