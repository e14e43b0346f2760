import assert from 'node:assert/strict';
import { operationMetrics } from '../../../../../agent/collectors/parse/operations.js';

const asked = (...versions: readonly string[]): readonly string[] =>
  operationMetrics(versions)
    .split(',')
    .filter((metric) => metric === 'bulk' || metric === 'shard_stats');

describe('the statistics that are asked for by name', () => {
  it('are those that the version knows: one that it does not would cost all the others', () => {
    assert.deepEqual(asked('7.10.2'), []);
    assert.deepEqual(asked('7.17.15'), ['shard_stats']);
    assert.deepEqual(asked('8.0.0'), ['bulk', 'shard_stats']);
    assert.deepEqual(asked('9.4.3'), ['bulk', 'shard_stats']);
    assert.deepEqual(asked('10.0.0'), ['bulk', 'shard_stats']);
  });

  it('are those that all nodes know while a cluster is upgraded, and the oldest ones where a version is not known', () => {
    assert.deepEqual(asked('8.14.1', '7.17.15'), ['shard_stats']);
    assert.deepEqual(asked('7.9.0', '7.17.15'), []);
    assert.deepEqual(asked('8.14.1', ''), []);
    assert.deepEqual(asked(), []);
  });
});
