/** Returns the value at a point, and writes the slope there. */
export type Objective = (point: Float64Array, slope: Float64Array) => number;

const memory = 10;
const mostSteps = 200;
const tolerance = 1e-4;

/** Minimises a smooth convex function by L-BFGS with backtracking. Source: Nocedal & Wright, 2006, ch. 7. */
export function minimise(objective: Objective, dimensions: number): Float64Array {
  let point: Float64Array = new Float64Array(dimensions);
  let slope: Float64Array = new Float64Array(dimensions);
  let value = objective(point, slope);
  const pairs: Pair[] = [];
  for (let step = 0; step < mostSteps && norm(slope) > tolerance * Math.max(1, norm(point)); step++) {
    const direction = directionOf(slope, pairs);
    const descent = dot(direction, slope);
    let length = pairs.length === 0 ? 1 / Math.max(1, norm(slope)) : 1;
    const nextSlope = new Float64Array(dimensions);
    let next = plus(point, direction, length);
    let nextValue = objective(next, nextSlope);
    while (nextValue > value + 1e-4 * length * descent && length > 1e-10) {
      length /= 2;
      next = plus(point, direction, length);
      nextValue = objective(next, nextSlope);
    }
    const moved = plus(next, point, -1);
    const turned = plus(nextSlope, slope, -1);
    const curvature = dot(moved, turned);
    if (curvature > 1e-12) pairs.push({ moved, turned, curvature });
    if (pairs.length > memory) pairs.shift();
    [point, slope, value] = [next, nextSlope, nextValue];
  }
  return point;
}

interface Pair {
  readonly moved: Float64Array;
  readonly turned: Float64Array;
  readonly curvature: number;
}

/** The two-loop recursion: minus the slope times the pairs' estimate of the inverse curvature. */
function directionOf(slope: Float64Array, pairs: readonly Pair[]): Float64Array {
  let direction: Float64Array = slope.map((value) => -value);
  const shares: number[] = [];
  for (const { moved, turned, curvature } of pairs.toReversed()) {
    const share = dot(moved, direction) / curvature;
    shares.push(share);
    direction = plus(direction, turned, -share);
  }
  const last = pairs.at(-1);
  if (last !== undefined) {
    const scale = last.curvature / dot(last.turned, last.turned);
    direction = direction.map((value) => value * scale);
  }
  for (const { moved, turned, curvature } of pairs) {
    const share = (shares.pop() ?? 0) - dot(turned, direction) / curvature;
    direction = plus(direction, moved, share);
  }
  return direction;
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return sum;
}

const norm = (values: Float64Array): number => Math.sqrt(dot(values, values));

function plus(left: Float64Array, right: Float64Array, times: number): Float64Array {
  return left.map((value, i) => value + times * (right[i] ?? 0));
}
