import assert from 'node:assert/strict';
import { besideConstant } from '../../../bench/comparison.js';
import { mergedRows } from '../../../bench/report.js';

const measured = (name: string, ours: number) =>
  besideConstant({ name, unit: 's', floorName: 'bare', ours, floor: 10, target: { atMost: 1 } });
const occasion = { day: '2026-01-02', load: 0.25 };

describe('the table of measurements', () => {
  const before = ['| reads  | s | old |', '| writes | s | old |'];

  it('replaces a row that was measured again, and keeps the rest', () => {
    const rows = mergedRows(before, [measured('reads', 5)], occasion);
    assert.equal(rows.length, 2);
    assert.match(rows[0] ?? '', /^\| reads \| s \| 5\.00 \|.*\| met \| 2026-01-02, load 0\.3 \|$/);
    assert.equal(rows[1], before[1]);
  });

  it('says that a figure without a target is for information', () => {
    const result = besideConstant({ ...measured('reads', 5), target: null });
    assert.match(mergedRows([], [result], occasion)[0] ?? '', /\| — \| for information \|/);
  });

  it('has new rows at its end, and marks those that miss their target', () => {
    const rows = mergedRows(before, [measured('starts', 12)], occasion);
    assert.deepEqual(rows.slice(0, 2), before);
    assert.match(rows[2] ?? '', /^\| starts \|.*\*\*not met\*\*/);
  });
});
