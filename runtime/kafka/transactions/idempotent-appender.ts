import { TelltaleError } from '../../errors.js';
import {
  type IdempotentAppend,
  type IdempotentAppendResult,
  IdempotentAppendGroup,
  type IdempotentAppendContext,
} from './idempotent-append-group.js';
import { murmur2 } from '../protocol/produce-request.js';

/**
 * Appends once across all processes that share a name. Each group belongs to one of 32 transactional ids.
 * Opening a producer under the id fences every other one and waits for the end of its transaction. Only then
 * does the caller check whether the call has been made before. Until the producer is fenced, no other process
 * can append in that group.
 */
export interface IdempotentAppender<Entry> {
  /** Rejects with APPEND_TIMED_OUT; the same call can then be made again, in any process. */
  append(call: IdempotentAppend<Entry>): Promise<IdempotentAppendResult<Entry>>;
  stop(): Promise<void>;
}

/**
 * A power of two. It must never change: while two numbers are in use, a call and its repeat could belong to
 * different transactional ids.
 */
const groups = 32;

/** The index of the transactional id that a group belongs to. */
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
      // The call may come from another process.
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
