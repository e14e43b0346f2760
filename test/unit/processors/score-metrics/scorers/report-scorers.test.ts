import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScorerDescription } from '../../../../../processors/score-metrics/scorers/describe-scorers.js';
import { reportScorers } from '../../../../../processors/score-metrics/scorers/report-scorers.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import type { Scorer } from '../../../../../schemas/generated/scorer.js';

const scorer = (metric: string, available: boolean): ScorerDescription => ({
  metric,
  version: 'v/1',
  models: [],
  languages: [],
  thresholds: {},
  needs: [],
  available,
  unavailable: null,
});

describe('the reports of the scorers', () => {
  it('are sent at the start, then only for what has changed, and again if sending failed', async () => {
    const appended: (readonly Scorer[])[] = [];
    let rounds = 0;
    const describe = (): Promise<readonly ScorerDescription[]> => {
      rounds += 1;
      if (rounds === 1) return Promise.reject(new Error('the pool is busy'));
      return Promise.resolve([scorer('a', true), scorer('b', rounds > 5)]);
    };
    let failures = 1;
    const append = (scorers: readonly Scorer[]): Promise<void> => {
      if (failures-- > 0) return Promise.reject(new Error('Kafka is away'));
      appended.push(scorers);
      return Promise.resolve();
    };
    const reports = reportScorers({ describe, append, clock: () => 7, logger: silentLogger, everyMs: 1 });
    while (rounds < 8) await sleep(2);
    await reports.stop();
    assert.deepEqual(
      appended.map((scorers) => scorers.map(({ metric, available }) => [metric, available])),
      [
        [
          ['a', true],
          ['b', false],
        ],
        [['b', true]],
      ],
    );
    assert.equal(appended[0]?.[0]?.reported_at, 7);
    const after = rounds;
    await sleep(10);
    assert.equal(rounds, after);
  });
});
