/** Cosine of two unit vectors, inside -1..1 and with six digits: further ones differ from machine to machine. */
export function cosine(left: Float32Array, right: Float32Array): number {
  return cosineOf(product(left, right));
}

/** The inner product of two unit vectors, for callers that compare many and need only one in six digits. */
export function product(left: Float32Array, right: Float32Array): number {
  if (left.length !== right.length) throw new RangeError('vectors of different models cannot be compared');
  // Four sums at once: with only one, each addition would wait for the previous one.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const inFours = left.length - (left.length % 4);
  for (let i = 0; i < inFours; i += 4) {
    a += (left[i] as number) * (right[i] as number);
    b += (left[i + 1] as number) * (right[i + 1] as number);
    c += (left[i + 2] as number) * (right[i + 2] as number);
    d += (left[i + 3] as number) * (right[i + 3] as number);
  }
  for (let i = inFours; i < left.length; i++) a += (left[i] as number) * (right[i] as number);
  return a + b + (c + d);
}

export function cosineOf(product: number): number {
  return Math.min(1, Math.max(-1, sixDigits(product)));
}

/** Never -0. */
export function sixDigits(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

/** The mean of unit vectors, scaled to length 1: the vector of a text of several windows. */
export function meanDirection(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  if (vectors.length === 1) return first;
  const sum = first.map((_, i) => vectors.reduce((total, vector) => total + (vector[i] ?? 0), 0));
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return length === 0 ? sum : sum.map((value) => value / length);
}
