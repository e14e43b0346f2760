import assert from 'node:assert/strict';
import { whyOf } from '../../../dashboard/src/pages/clusters/why.js';

const deduction = (code: string, points: number, reason: string) => ({
  ...{ code, points, reason, category: 'capacity', points_alone: points },
});

describe('why a cluster is not well', () => {
  it('is its worst deduction, and how many more there are', () => {
    const deductions = [deduction('disk_low', 5, 'The disk fills.'), deduction('red', 40, 'Bring n3 back.')];
    assert.equal(whyOf({ reason: null, deductions }), 'Bring n3 back. And 1 more reason.');
    assert.equal(whyOf({ reason: 'No score.', deductions: [] }), 'No score.');
    assert.equal(whyOf({ reason: null, deductions: [] }), '');
  });
});
