import assert from 'node:assert/strict';
import { ownFailures } from '../../../../../processors/cluster-health/derive/operations.js';

const grown =
  (counts: Readonly<Record<string, number>>) =>
  (field: string): number | null =>
    counts[field] ?? null;

describe('indexing failures that a cluster is evaluated by', () => {
  it('exclude version conflicts if those are counted separately', () => {
    assert.equal(ownFailures(grown({ indexing_failed: 5, indexing_version_conflicts: 3 })), 2);
  });

  it('are unknown if they might include version conflicts', () => {
    assert.equal(ownFailures(grown({ indexing_failed: 5 })), null);
    assert.equal(ownFailures(grown({ indexing_failed: 0 })), 0);
    assert.equal(ownFailures(grown({})), null);
  });
});
