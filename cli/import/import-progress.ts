import { hash } from 'node:crypto';
import { z } from 'zod';

/** What is known of the lines that were read so far. */
export interface ImportProgress {
  /** Up to and with this line. */
  readonly line: number;
  /** The digests of the lines that became tasks, one on top of the other: hexadecimal. */
  readonly digest: string;
  /** Lines that could not become tasks; tried again by the next run. */
  readonly refused: readonly number[];
}

const digestDigits = 64;
/** More lines that are wrong mean that the file is another one than was meant. */
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

/** The digest with that of one line more. The order does not count, so that a line may come in later than the next one. */
export function withLine(digest: string, line: number, content: readonly unknown[]): string {
  const one = Buffer.from(hash('sha256', JSON.stringify([line, ...content]), 'hex'), 'hex');
  const all = Buffer.from(digest, 'hex');
  for (const [at, byte] of one.entries()) all[at] = (all[at] ?? 0) ^ byte;
  return all.toString('hex');
}
