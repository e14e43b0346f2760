import assert from 'node:assert/strict';
import { evaluate } from '../../../../../processors/cluster-health/rules/score.js';
import { known, unknown, type NodeSample } from '../../../../../processors/cluster-health/rules/situation.js';
import { nodeWith, situation } from '../../../../support/situations.js';

const nodes = (...samples: readonly Partial<NodeSample>[]) => known([nodeWith('node-1', ...samples)]);
const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('what could not be measured', () => {
  it('is listed once with its reason, and costs nothing', () => {
    const reason = 'the cluster privilege monitor is missing';
    const { score, notMeasured } = evaluate(situation({ nodes: unknown(reason), pending: unknown(reason) }));
    assert.equal(score, 100);
    assert.ok(notMeasured.some(({ what }) => what === 'heap use'));
    assert.ok(notMeasured.some(({ what }) => what === 'pending tasks'));
    assert.equal(new Set(notMeasured.map(({ what }) => what)).size, notMeasured.length);
  });

  it('is listed for a node without enough samples yet, whatever they show', () => {
    const ill: Partial<NodeSample> = {
      heapPercent: 99,
      cpuPercent: 99,
      oldCollectionShare: 0.5,
      indexingThrottled: true,
      indexingFailures: 9,
      breakers: [{ breaker: 'parent', utilisation: 0.99, trips: 0 }],
      pools: [{ pool: 'search', busy: true, queueShare: 1, rejections: 0 }],
    };
    const missing = (samples: number): Record<string, string> => {
      const { score, notMeasured } = evaluate(situation({ nodes: nodes(...times(samples, ill)) }));
      assert.equal(score === 100, samples < 3);
      return Object.fromEntries(notMeasured.map(({ what, reason }) => [what, reason]));
    };
    const soFar = (samples: number, fewest: number): string =>
      `only ${samples} of ${fewest} samples of node-1 so far`;
    const ofFive = (samples: number) => ({
      'host CPU': soFar(samples, 5),
      'indexing failures': soFar(samples, 5),
    });
    const ofThree = (samples: number) => ({
      'circuit breakers': soFar(samples, 3),
      'garbage collection time': soFar(samples, 3),
      'heap use': soFar(samples, 3),
      'indexing throttling': soFar(samples, 3),
      'thread pools': soFar(samples, 3),
    });
    assert.deepEqual(missing(1), { ...ofFive(1), ...ofThree(1) });
    assert.deepEqual(missing(2), { ...ofFive(2), ...ofThree(2) });
    assert.deepEqual(missing(3), ofFive(3));
    assert.deepEqual(missing(4), ofFive(4));
    assert.deepEqual(missing(5), {});
  });

  it('is listed briefly, however many nodes have too few samples', () => {
    const many = times(40, 0).map((_, index) => nodeWith(`node-${index}`, ...times(1 + (index % 5), {})));
    const { notMeasured } = evaluate(situation({ nodes: known(many) }));
    const heap = notMeasured.find(({ what }) => what === 'heap use')?.reason;
    assert.equal(
      heap,
      'only 1 of 3 samples of node-0, node-5, node-10, node-15, node-20 and 3 more so far; ' +
        'only 2 of 3 samples of node-1, node-6, node-11, node-16, node-21 and 3 more so far',
    );
  });

  it('is evaluated again, and no longer listed, once there are enough samples after a gap', () => {
    const ill = {
      breakers: [{ breaker: 'parent', utilisation: 0.99, trips: 0 }],
      pools: [{ pool: 'search', busy: true, queueShare: 1, rejections: 0 }],
    };
    const after = (samples: number) =>
      evaluate(situation({ nodes: nodes({ breakers: [], pools: [] }, ...times(samples, ill)) }));
    const listed = (samples: number): string[] =>
      after(samples)
        .notMeasured.map(({ what }) => what)
        .filter((what) => ['circuit breakers', 'thread pools'].includes(what));
    assert.deepEqual(listed(2), ['circuit breakers', 'thread pools']);
    assert.deepEqual(after(2).deductions, []);
    assert.deepEqual(listed(3), []);
    assert.deepEqual(
      after(3).deductions.map(({ code }) => code),
      ['thread_pool_queue_full', 'circuit_breaker_near_limit'],
    );
  });

  it('is listed for a figure that a node does not report', () => {
    const { notMeasured } = evaluate(situation({ nodes: nodes(...times(5, { cpuPercent: null })) }));
    assert.deepEqual(notMeasured, [{ what: 'host CPU', reason: 'not reported by node-1' }]);
  });
});
