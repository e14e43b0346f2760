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
const groups = 32;

/** Of the transactional id under which calls of a group are decided. */
export const groupIndexOf = (group: string): number => murmur2(Buffer.from(group)) & (groups - 1);

export function createIdempotentAppender<Entry>(
  context: IdempotentAppendContext<Entry>,
): IdempotentAppender<Entry> {
  const running = new Map<number, IdempotentAppendGroup<Entry>>();
  let stopping = false;
  return {
    append(call) {
      const refused = (topic: string, reason: string) =>
        Promise.reject(new TelltaleError('APPEND_FAILED', { topic, reason }));
      if (stopping) return refused(call.records[0]?.topic ?? '', 'this process is stopping');
      // A call may come from another process.
      const foreign = call.records.find(({ topic }) => !context.writes.includes(topic));
      if (foreign !== undefined) return refused(foreign.topic, `${context.name} does not write to it`);
      const index = groupIndexOf(call.group);
      let group = running.get(index);
      if (group === undefined) running.set(index, (group = new IdempotentAppendGroup(index, context)));
      return group.append(call);
    },
    async stop() {
      stopping = true;
      await Promise.all([...running.values()].map((group) => group.stop()));
    },
  };
}
