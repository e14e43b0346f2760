import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startingPoint, type Findings } from '../../../../runtime/sink/starting-point.js';

describe('the starting point of a sink', () => {
  const row = (offset: number) => ({ offset, run: 'r' });
  const found = (more: Partial<Findings>): Findings => ({
    committed: -1,
    metadata: undefined,
    lastRow: undefined,
    isOfThisLog: false,
    logStart: 0,
    logEnd: 1_000,
    ...more,
  });
  const metadata = { run: 'r', previous: 40 };
  const intent = { hi: 59, skip: [] };

  it('is the start of the log for a new group', () => {
    assert.deepEqual(startingPoint(found({ logStart: 7 })), {
      next: 7,
      previous: -1,
      run: undefined,
      intent: undefined,
    });
  });

  it('is the committed offset if nothing was intended', () => {
    assert.deepEqual(startingPoint(found({ committed: 50, metadata, lastRow: row(40) })), {
      next: 50,
      previous: 40,
      run: 'r',
      intent: undefined,
    });
  });

  it('is the intended range, whether or not its rows are in the table', () => {
    for (const last of [40, 59]) {
      const start = startingPoint(
        found({ committed: 50, metadata: { ...metadata, intent }, lastRow: row(last) }),
      );
      assert.deepEqual(start, { next: 50, previous: 40, run: 'r', intent });
    }
  });

  it('is after the rows of the table if the commit that was read is older than they are', () => {
    const start = startingPoint(
      found({ committed: 50, metadata: { ...metadata, intent }, lastRow: row(99) }),
    );
    assert.equal(start.next, 100);
    assert.equal(start.previous, 99);
    assert.equal(start.intent, undefined);
    assert.equal(start.remark, 'committed-offset-is-stale');
  });

  it('is after the rows of the table, in the same run, if the group has lost its position', () => {
    const start = startingPoint(found({ lastRow: row(99) }));
    assert.equal(start.run, 'r');
    assert.equal(start.next, 100);
    assert.equal(start.remark, 'position-is-lost');
  });

  it('is the start of a log that was recreated, shorter than the one whose rows are in the table', () => {
    assert.equal(startingPoint(found({ lastRow: row(99), logEnd: 3 })).next, 0);
  });

  it('is where a tool has moved the group, if the log was recreated', () => {
    const start = startingPoint(found({ committed: 2, lastRow: row(99), logEnd: 3 }));
    assert.deepEqual(start, { next: 2, previous: -1, run: undefined, intent: undefined });
  });

  it('is the end of a log that has lost records which are in the table', () => {
    assert.equal(startingPoint(found({ lastRow: row(99), logEnd: 60, isOfThisLog: true })).next, 60);
  });

  it('skips the part of an intended range that retention has cut or the table already has', () => {
    const cut = { committed: 50, metadata: { ...metadata, intent }, logStart: 55 };
    assert.equal(startingPoint(found({ ...cut, lastRow: row(40) })).next, 55);
    assert.equal(startingPoint(found({ ...cut, lastRow: row(59) })).next, 60);
  });

  it('is the start of the log if retention has overtaken the group', () => {
    const start = startingPoint(found({ committed: 50, metadata, lastRow: row(40), logStart: 80 }));
    assert.equal(start.next, 80);
    assert.equal(start.previous, 40);
    assert.equal(start.remark, 'retention-overtook');
  });

  it('continues the chain of rows from the table if a tool has moved the group', () => {
    const start = startingPoint(found({ committed: 50, lastRow: row(12) }));
    assert.equal(start.next, 50);
    assert.equal(start.previous, 12);
  });

  it('is the same whether or not rows before a commit of a sink are looked at', () => {
    const offset = fc.integer({ min: 0, max: 99 });
    const cases = fc.record({
      committed: offset,
      before: fc.array(offset),
      behind: fc.array(offset),
      hi: fc.option(offset),
      logStart: fc.integer({ min: 0, max: 250 }),
    });
    fc.assert(
      fc.property(cases, ({ committed, before, behind, hi, logStart }) => {
        const earlier = before.filter((one) => one < committed);
        const later = behind.map((one) => committed + one);
        const lastOf = (offsets: readonly number[]) => ({
          lastRow: offsets.length === 0 ? undefined : row(Math.max(...offsets)),
        });
        const intended = hi === null ? {} : { intent: { hi: committed + hi, skip: [] } };
        const of = {
          committed,
          logStart,
          metadata: { run: 'r', previous: Math.max(-1, ...earlier), ...intended },
        };
        assert.deepEqual(
          startingPoint(found({ ...of, ...lastOf(later) })),
          startingPoint(found({ ...of, ...lastOf([...earlier, ...later]) })),
        );
      }),
    );
  });
});
