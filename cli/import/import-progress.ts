import { hash } from 'node:crypto';
import { z } from 'zod';

/** The progress of an import. */
export interface ImportProgress {
  /** The last line that was processed. */
  readonly line: number;
  /** The combined digest of the lines that became tasks, in hexadecimal. */
  readonly digest: string;
  /** Lines that could not become tasks; the next run tries them again. */
  readonly refused: readonly number[];
}

const digestDigits = 64;
/** With more invalid lines than this, the file is not the intended one. */
export const mostRefused = 10_000;

export const noProgress: ImportProgress = { line: 0, digest: '0'.repeat(digestDigits), refused: [] };

const form = z.object({
  line: z.number(),
  digest: z.string().length(digestDigits),
  refused: z.array(z.number()),
});

export function progressOf(text: string): ImportProgress {
  return form.parse(JSON.parse(text));
}

/** Adds a line to the digest. The order does not matter, so a line can be imported after later ones. */
export function withLine(digest: string, line: number, content: readonly unknown[]): string {
  const one = Buffer.from(hash('sha256', JSON.stringify([line, ...content]), 'hex'), 'hex');
  const all = Buffer.from(digest, 'hex');
  for (const [at, byte] of one.entries()) all[at] = (all[at] ?? 0) ^ byte;
  return all.toString('hex');
}
