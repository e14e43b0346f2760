import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FetchedPartition } from 'kafkajs/src/cluster/index.js';
import { hideAborted } from '../../../../../runtime/kafka/corrections/consumers.js';

interface Step {
  readonly producer: number;
  readonly what: 'send' | 'send outside' | 'abort' | 'commit';
}

/** A log as a broker keeps it: records, markers, and the aborted transactions in the order of their ends. */
function logOf(steps: readonly Step[]) {
  const messages: FetchedPartition['messages'] = [];
  const aborted: { producerId: string; firstOffset: string; lastOffset: number }[] = [];
  const visible = new Set<number>();
  const open = new Map<number, number[]>();
  for (const { producer, what } of steps) {
    const offset = messages.length;
    const sent = open.get(producer) ?? [];
    if ((what === 'abort' || what === 'commit') && sent.length === 0) continue;
    const marker = what === 'abort' || what === 'commit';
    messages.push({
      offset: String(offset),
      key: marker ? Buffer.from([0, 0, 0, what === 'abort' ? 0 : 1]) : Buffer.from('key'),
      isControlRecord: marker,
      batchContext: { producerId: String(producer), inTransaction: what !== 'send outside' },
    });
    if (what === 'send') open.set(producer, [...sent, offset]);
    if (what === 'send outside') visible.add(offset);
    if (!marker) continue;
    open.delete(producer);
    if (what === 'commit') for (const each of sent) visible.add(each);
    else aborted.push({ producerId: String(producer), firstOffset: String(sent[0]), lastOffset: offset });
  }
  // A fetch ends at the last stable offset: before the first record of a transaction that is still open.
  const stable = Math.min(messages.length, ...[...open.values()].map(([first]) => first ?? 0));
  return { messages: messages.slice(0, stable), aborted, visible };
}

const steps = fc.array(
  fc.record({
    producer: fc.nat({ max: 4 }),
    what: fc.constantFrom<Step['what']>('send', 'send', 'send outside', 'abort', 'commit'),
  }),
  { maxLength: 60 },
);

describe('aborted transactions', () => {
  it('are hidden, and nothing else is, wherever a fetch starts', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 60 }), (taken, from) => {
        const { messages, aborted, visible } = logOf(taken);
        const fetched = messages.filter(({ offset }) => Number(offset) >= from);
        const wanted = fetched
          .filter(({ offset }) => visible.has(Number(offset)))
          .map(({ offset }) => offset);
        const partition = {
          messages: fetched,
          abortedTransactions: aborted.filter(({ lastOffset }) => lastOffset >= from),
        };
        hideAborted(partition);
        assert.deepEqual(
          fetched.filter(({ isControlRecord }) => !isControlRecord).map(({ offset }) => offset),
          wanted,
        );
        assert.deepEqual(partition.abortedTransactions, []);
      }),
      { numRuns: 1_000 },
    );
  });
});
