import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';

/** The answer is longer than the client accepts. */
export class AnswerTooLarge extends Error {
  constructor(limit: number) {
    super(`its answer is longer than ${limit} bytes, and was cut off`);
    this.name = 'AnswerTooLarge';
  }
}

/** Reads a body to its end, decompressed; closes it as soon as it is longer than the limit. */
export async function readBody(body: Readable, encoding: string | undefined, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw new AnswerTooLarge(limit);
      chunks.push(chunk);
    }
  };
  const inflate = inflaterOf(encoding);
  try {
    if (inflate === undefined) await pipeline(body, collect);
    else await pipeline(body, inflate, collect);
  } catch (error) {
    // The pipeline can end with an error of the streams that were closed before it.
    throw bytes > limit ? new AnswerTooLarge(limit) : error;
  }
  return Buffer.concat(chunks);
}

export function inflaterOf(encoding: string | undefined): Transform | undefined {
  if (encoding === 'gzip') return createGunzip();
  return encoding === 'deflate' ? createInflate() : undefined;
}
