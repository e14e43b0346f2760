import assert from 'node:assert/strict';
import { resultRecord } from '../../../../processors/score-metrics/records.js';
import type { ScoringRequest } from '../../../../schemas/generated/scoring-request.js';
import type { ScoringResult } from '../../../../schemas/generated/scoring-result.js';

describe('the record of a result', () => {
  it('holds JSON without lone surrogates, whatever a language model replied', () => {
    const metrics = { hallucination: { created_at: '', response: 'half \ud800 and whole 🙂' } };
    const { value } = resultRecord(
      { id: '1', workspace: 'w' } as ScoringRequest,
      'task',
      { ok: true, metrics, scorerVersions: {}, patternPlaces: {} },
      { appendedAt: 0, takenAt: 0, scoredAt: 0 },
    );
    const told = JSON.parse((value as ScoringResult).metrics ?? '') as typeof metrics;
    assert.equal(told.hallucination.response, 'half \ufffd and whole 🙂');
  });
});
