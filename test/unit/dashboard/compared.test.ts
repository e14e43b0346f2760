import assert from 'node:assert/strict';
import { compared, earlier, shiftOf } from '../../../dashboard/src/pages/results/compared.js';
import { scoreCommand } from '../../../dashboard/src/pages/results/score-command.js';

const bounds = { from: '2026-01-08T10:00:00.000Z', to: '2026-01-08T12:00:00.000Z' };
const figures = { results: 4, scored: 3, mean: 0.5, min: 0, max: 1, p05: 0, p50: 0.5, p95: 1 };

describe('two periods that are compared', () => {
  it('are equally long, and as far apart as requested', () => {
    const begins = (['before', 'day', 'week'] as const).map((comparison) =>
      earlier(bounds, shiftOf(comparison, bounds)),
    );
    assert.deepEqual(begins, [
      { kind: 'fixed', from: '2026-01-08T08:00:00.000Z', to: '2026-01-08T10:00:00.000Z' },
      { kind: 'fixed', from: '2026-01-07T10:00:00.000Z', to: '2026-01-07T12:00:00.000Z' },
      { kind: 'fixed', from: '2026-01-01T10:00:00.000Z', to: '2026-01-01T12:00:00.000Z' },
    ]);
  });

  it('have no change of a figure that one of them lacks', () => {
    const before = { ...figures, results: 1, scored: 0, mean: null };
    const of = (name: string) => compared(figures, before).find(({ figure }) => figure === name);
    assert.deepEqual(of('results'), { figure: 'results', now: 4, before: 1, change: 3 });
    assert.deepEqual(of('mean'), { figure: 'mean', now: 0.5, before: null, change: null });
  });

  it('do not count a rounding error as a change', () => {
    const [, , mean] = compared({ ...figures, mean: 0.1 + 0.2 }, { ...figures, mean: 0.3 });
    assert.deepEqual([mean?.figure, mean?.change], ['mean', 0]);
  });
});

describe('the command that scores a text', () => {
  it('is not ended by quotes in the text', () => {
    const command = scoreCommand('http://edge', { prompt: "It's late" });
    assert.ok(command.endsWith(`-d '{"prompt":"It'\\''s late"}'`), command);
  });
});
