import assert from 'node:assert/strict';
import type { StageLag } from '../../../../cli/lag/pipeline-lag.js';
import { withErrors } from '../../../../cli/lag/with-errors.js';

const now = Date.UTC(2026, 0, 2);
const stage = (name: string, members: number | null): StageLag => ({
  ...{ stage: name, topic: 't', group: 'g', state: 'running', members },
  ...{ lag_records: 0, lag_seconds: 0, unknown: null, waits_for: null },
  ...{ appended_last_minute: 0, dead_letters: 0, partitions: [] },
});
const report = (role: string, errors: Record<string, number>, ageMs = 1_000) => ({
  ...{ process_id: `${role} ${ageMs}`, role, errors },
  reported_at: (now - ageMs) * 1_000,
});

interface Answer {
  readonly edge: Errors & { readonly processes: number };
  readonly stages: readonly Errors[];
  readonly processes: readonly object[];
}
interface Errors {
  readonly errors_last_minute: number | null;
  readonly errors_unknown: string | null;
}
const ask = (stages: readonly StageLag[], ...reports: ReturnType<typeof report>[]): Answer =>
  withErrors({ at: 'now', stages }, reports, now) as Answer;
const known = (errors: number): Errors => ({ errors_last_minute: errors, errors_unknown: null });
const errorsOf = ({ errors_last_minute, errors_unknown }: Errors): Errors => ({
  ...{ errors_last_minute, errors_unknown },
});

describe('the errors of the stages', () => {
  it('are the sum of what the processes of each have reported', () => {
    const { edge, stages } = ask(
      [stage('sinks/events', 2), stage('sinks/spans', 2)],
      report('sinks', { 'sinks/events': 3, 'sinks/spans': 0 }),
      report('sinks', { 'sinks/events': 4, 'sinks/spans': 0 }, 2_000),
      report('edge', { 'http-edge': 1 }),
    );
    assert.deepEqual(stages.map(errorsOf), [known(7), known(0)]);
    assert.deepEqual(edge, { processes: 1, ...known(1) });
  });

  it('are null with a reason if a process has not reported within a minute', () => {
    const { edge, stages } = ask(
      [stage('sinks/events', 2), stage('processors/score-metrics', null)],
      report('sinks', { 'sinks/events': 3 }),
      report('sinks', { 'sinks/events': 3 }, 61_000),
    );
    assert.deepEqual(
      stages.map((one) => one.errors_last_minute),
      [null, null],
    );
    assert.equal(stages[0]?.errors_unknown, '1 of its 2 processes have reported within a minute.');
    assert.deepEqual(edge.errors_unknown, 'None of its processes has reported within a minute.');
  });

  it('are listed by process, for an hour after its last report', () => {
    const { processes } = ask(
      [],
      report('sinks', { 'sinks/events': 3, 'sinks/spans': 1 }),
      report('sinks', { 'sinks/events': 2 }, 61_000),
      report('edge', {}, 3_600_000),
      report('edge', {}),
    );
    assert.deepEqual(processes, [
      { process: 'edge 1000', role: 'edge', reported_at: '2026-01-01T23:59:59.000Z', errors_last_minute: 0 },
      {
        process: 'sinks 1000',
        role: 'sinks',
        reported_at: '2026-01-01T23:59:59.000Z',
        errors_last_minute: 4,
      },
      {
        process: 'sinks 61000',
        role: 'sinks',
        reported_at: '2026-01-01T23:58:59.000Z',
        errors_last_minute: null,
      },
    ]);
  });
});
