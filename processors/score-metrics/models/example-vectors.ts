import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Vectors of the built-in examples, so that no thread embeds them at its start. `npm run train` writes it.
 */
export interface ExampleVectorsFile {
  readonly embedding: string;
  /** By digest of the text: values of -1..1 as signed 16-bit integers, little-endian, in base64. */
  readonly vectors: Readonly<Record<string, string>>;
}

const steps = 32_767;

export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}

export function readExampleVectors(): ExampleVectorsFile {
  const file = new URL('./example-vectors.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ExampleVectorsFile;
}

export function packVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(2 * vector.length);
  vector.forEach((value, index) => bytes.writeInt16LE(Math.round(value * steps), 2 * index));
  return bytes.toString('base64');
}

export function unpackVector(packed: string): Float32Array {
  const bytes = Buffer.from(packed, 'base64');
  return Float32Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index) / steps);
}
