import assert from 'node:assert/strict';
import { fitted } from '../../../dashboard/src/pages/events/fitted.js';
import { seriesSql } from '../../../dashboard/src/pages/events/sql.js';

const namesOf = (type: string): readonly string[] => fitted(type).lines.map(({ name }) => name);

describe('the chart of a metric of events', () => {
  it('fits its type', () => {
    assert.deepEqual(namesOf('increment'), ['sum']);
    assert.deepEqual(namesOf('decrement'), ['sum']);
    assert.deepEqual(namesOf('distribution'), ['p95', 'p50', 'p99']);
    for (const type of ['gauge', 'percentage', 'systembyte'])
      assert.deepEqual(namesOf(type), ['last', 'min', 'max'], type);
  });

  it('keeps unknown values apart from 0', () => {
    const figures = { sum: null, min: 0, max: 2, last: null, p50: null, p95: null, p99: null };
    assert.deepEqual(
      fitted('gauge').lines.map(({ valueOf }) => valueOf(figures)),
      [null, 0, 2],
    );
  });

  it('has the SQL of the cluster that is chosen', () => {
    const scope = {
      workspace: 'harbour',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
    } as const;
    assert.ok(seriesSql({ metric: 'depth', cluster: "e'u" }, 60, scope).includes("AND cluster = 'e\\'u'"));
    assert.ok(!seriesSql({ metric: 'depth', cluster: '' }, 60, scope).includes('cluster ='));
  });
});
