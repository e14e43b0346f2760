import { TelltaleError } from '../errors.js';
import type { OnceCall, OnceResult } from './once-call.js';
import { startOnceBucket, type OnceBucket, type OnceContext } from './once-bucket.js';
import { murmur2 } from './partitioning.js';

/**
 * Appends once among all processes that share a name. A group belongs to one of 32 transactional ids, and whoever
 * opens a producer under it first fences every other and waits for the end of its transaction; only then it looks
 * whether the call has been seen. While it is not fenced nobody else can append in that group.
 */
export interface OnceAppender<Entry> {
  /** Rejects with APPEND_TIMED_OUT, after which the same call may be made again, anywhere. */
  append(call: OnceCall<Entry>): Promise<OnceResult<Entry>>;
  stop(): Promise<void>;
}

/** A power of two. Another number would part calls from their repeats while both are in use: it never changes. */
const buckets = 32;

export function createOnceAppender<Entry>(context: OnceContext<Entry>): OnceAppender<Entry> {
  const running = new Map<number, OnceBucket<Entry>>();
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
      if (bucket === undefined) running.set(index, (bucket = startOnceBucket(index, context)));
      return bucket.append(call);
    },
    async stop() {
      stopping = true;
      await Promise.all([...running.values()].map((bucket) => bucket.stop()));
    },
  };
}
