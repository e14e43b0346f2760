import assert from 'node:assert/strict';
import { calibrate } from '../../../../bench/train/calibrate.js';
import { logitOf, train, type Example } from '../../../../bench/train/logistic-regression.js';
import { minimise } from '../../../../bench/train/minimise.js';

const example = (x: number, bucket: number, label: boolean): Example => ({
  vector: Float32Array.from([x]),
  sparse: { at: Uint32Array.from([bucket]), values: Float64Array.from([1]) },
  label,
  weight: 1,
});

describe('training', () => {
  it('finds the minimum of a narrow valley', () => {
    const [x, y] = minimise((point, slope) => {
      const [a = 0, b = 0] = point;
      slope[0] = 2 * (a - 3);
      slope[1] = 200 * (b + 1);
      return (a - 3) ** 2 + 100 * (b + 1) ** 2;
    }, 2);
    assert.ok(Math.abs((x ?? 0) - 3) < 1e-3 && Math.abs((y ?? 0) + 1) < 1e-3);
  });

  it('ends at the optimum: the gradient of the examples equals that of the penalty', () => {
    const examples = [
      example(1, 0, true),
      example(-1, 1, false),
      example(0.5, 1, true),
      example(-0.2, 0, false),
    ];
    const weights = train(examples, 2, { vectorScale: 1, sparseScale: 1, inversePenalty: 2 });
    const errors = examples.map((each) => 1 / (1 + Math.exp(-logitOf(weights, each))) - (each.label ? 1 : 0));
    const pull = examples.reduce(
      (sum, { vector }, index) => sum - 2 * (errors[index] ?? 0) * (vector[0] ?? 0),
      0,
    );
    assert.ok(Math.abs(pull - (weights.vector[0] ?? 0)) < 1e-3);
    assert.ok(Math.abs(errors.reduce((sum, error) => sum + error, 0)) < 1e-3);
  });

  it('is calibrated so that probabilities mean what they say', () => {
    // Three in four of the logits 2 and -2 are right: the calibrated logit is ln 3.
    const rows = [2, -2].flatMap((logit) =>
      [true, true, true, false].map((right) => ({ logit, label: logit > 0 === right, weight: 1 })),
    );
    const { slope, offset } = calibrate(rows);
    assert.ok(Math.abs(2 * slope - Math.log(3)) < 1e-6 && Math.abs(offset) < 1e-6);
  });
});
