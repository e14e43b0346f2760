import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AnswerTooLarge, inflaterOf } from './read-body.js';

/**
 * Splits the text of a JSON array into its elements as it arrives, so that a listing of 50,000 shards is
 * never held as a whole. Elements must be objects or arrays, as in `_cat`; throws a SyntaxError if the text
 * is not such an array.
 */
class RowCutter {
  private readonly onRow: (row: unknown) => void;
  private rest = '';
  private at = 0;
  private depth = 0;
  private inString = false;
  private start = -1;
  private ended = false;

  constructor(onRow: (row: unknown) => void) {
    this.onRow = onRow;
  }

  take(text: string): void {
    this.rest += text;
    for (; this.at < this.rest.length; this.at += 1) this.look(this.rest.charCodeAt(this.at));
    const keepFrom = this.start === -1 ? this.rest.length : this.start;
    this.rest = this.rest.slice(keepFrom);
    // This can be one past the end of the text: an escape can extend past the end of a piece.
    this.at -= keepFrom;
    if (this.start !== -1) this.start = 0;
  }

  end(): void {
    if (!this.ended) throw new SyntaxError('the array does not end');
  }

  private look(code: number): void {
    if (this.inString) {
      if (code === 0x5c) this.at += 1;
      else if (code === 0x22) this.inString = false;
    } else if (code === 0x22) {
      if (this.depth < 2) throw new SyntaxError('not an array of objects');
      this.inString = true;
    } else if (code === 0x7b || code === 0x5b) this.open(code);
    else if (code === 0x7d || code === 0x5d) this.close();
  }

  private open(code: number): void {
    if (this.ended || (this.depth === 0 && code !== 0x5b)) throw new SyntaxError('not an array');
    this.depth += 1;
    if (this.depth === 2) this.start = this.at;
  }

  private close(): void {
    this.depth -= 1;
    if (this.depth === 0) this.ended = true;
    if (this.depth !== 1) return;
    this.onRow(JSON.parse(this.rest.slice(this.start, this.at + 1)));
    this.start = -1;
  }
}

/**
 * Reads an array to its end, row by row, decompressed; returns its size in bytes. Closes an answer that exceeds the
 * limit.
 */
export async function readRows(
  body: Readable,
  encoding: string | undefined,
  limit: number,
  onRow: (row: unknown) => void,
): Promise<number> {
  const cutter = new RowCutter(onRow);
  const decoder = new TextDecoder();
  let bytes = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw new AnswerTooLarge(limit);
      cutter.take(decoder.decode(chunk, { stream: true }));
    }
  };
  const inflate = inflaterOf(encoding);
  try {
    if (inflate === undefined) await pipeline(body, collect);
    else await pipeline(body, inflate, collect);
  } catch (error) {
    throw bytes > limit ? new AnswerTooLarge(limit) : error;
  }
  cutter.end();
  return bytes;
}
