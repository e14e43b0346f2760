/** Cosine of two unit vectors, inside -1..1 and with six digits: further ones differ from machine to machine. */
export function cosine(left: Float32Array, right: Float32Array): number {
  if (left.length !== right.length) throw new RangeError('vectors of different models can not be compared');
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return Math.min(1, Math.max(-1, sixDigits(sum)));
}

export function sixDigits(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The mean of unit vectors, scaled to length 1: the vector of a text of several windows. */
export function meanDirection(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  if (vectors.length === 1) return first;
  const sum = first.map((_, i) => vectors.reduce((total, vector) => total + (vector[i] ?? 0), 0));
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return length === 0 ? sum : sum.map((value) => value / length);
}
