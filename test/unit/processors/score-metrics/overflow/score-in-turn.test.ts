import assert from 'node:assert/strict';
import { scoreInTurn } from '../../../../../processors/score-metrics/overflow/score-in-turn.js';
import type { IncomingRecord } from '../../../../../runtime/kafka/records.js';
import type { ScoringRequest } from '../../../../../schemas/generated/scoring-request.js';

const context = { signal: new AbortController().signal };

function request(id: string): IncomingRecord<ScoringRequest> {
  const value = { id, workspace: 'w', metric: 'all', prompt: 'p', response: null, deadline: null };
  return {
    topic: 't',
    partition: 0,
    offset: 0,
    key: id,
    value: value as unknown as ScoringRequest,
    appendedAt: 0,
  };
}

describe('scoring in turn', () => {
  /** How many of a hundred requests are scored in one turn, where each takes so many milliseconds. */
  async function scoredOf100(msEach: number): Promise<number> {
    let now = 0;
    const outcomes = await scoreInTurn(
      Array.from({ length: 100 }, (_, index) => request(String(index))),
      context,
      {
        pool: {
          score(jobs, options) {
            assert.ok(options?.yielding);
            now += jobs.length * msEach;
            return Promise.resolve(jobs.map(() => ({ ok: false, reason: 'not tried' })));
          },
          stop: () => Promise.resolve(),
        },
        clock: () => now,
        records: () => [],
      },
      () => now,
    );
    return outcomes.length;
  }

  it('gives outcomes of all where they take little time', async () => {
    assert.equal(await scoredOf100(0), 100);
    assert.equal(await scoredOf100(1), 100);
  });

  it('ends the turn after a while, with the outcomes of what was reached', async () => {
    assert.equal(await scoredOf100(10), 28);
    assert.equal(await scoredOf100(1_000), 4);
  });
});
