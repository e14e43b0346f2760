import assert from 'node:assert/strict';
import { operationMetrics } from '../../../../../agent/collectors/parse/operations.js';

const asked = (...versions: readonly string[]): readonly string[] =>
  operationMetrics(versions)
    .split(',')
    .filter((metric) => metric === 'bulk' || metric === 'shard_stats');

describe('the statistics that are asked for by name', () => {
  it('are those that the version knows: an unknown one would make the whole call fail', () => {
    assert.deepEqual(asked('7.10.2'), []);
    assert.deepEqual(asked('7.17.15'), ['shard_stats']);
    assert.deepEqual(asked('8.0.0'), ['bulk', 'shard_stats']);
    assert.deepEqual(asked('9.4.3'), ['bulk', 'shard_stats']);
    assert.deepEqual(asked('10.0.0'), ['bulk', 'shard_stats']);
  });

  it('are those that all nodes know during an upgrade, and those of the oldest version if one is unknown', () => {
    assert.deepEqual(asked('8.14.1', '7.17.15'), ['shard_stats']);
    assert.deepEqual(asked('7.9.0', '7.17.15'), []);
    assert.deepEqual(asked('8.14.1', ''), []);
    assert.deepEqual(asked(), []);
  });
});
