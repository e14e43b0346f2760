import { createReadStream } from 'node:fs';
import { parquetRows } from '../../runtime/parquet.js';
import type { BatchPart } from '../../http-edge/scoring/batch/batch-body.js';

/** A line of a file, or a row of a Parquet file. */
export interface SourceLine {
  /** From 1. */
  readonly line: number;
  readonly part: BatchPart;
}

const columns = ['prompt', 'response', 'metric'];
const lineFeed = 0x0a;
/** In bytes. A task's texts have at most 200,000 characters, which take up to six bytes each when escaped. */
const longestLine = 2 * 1024 * 1024;

/** Reads an import: newline-delimited JSON from a file or standard input (`-`), or rows of a Parquet file. */
export function sourceLines(path: string): AsyncGenerator<SourceLine> {
  if (path.endsWith('.parquet')) return rowsOf(path);
  return linesOf(path === '-' ? process.stdin : createReadStream(path));
}

async function* rowsOf(path: string): AsyncGenerator<SourceLine> {
  let line = 0;
  for await (const rows of parquetRows(path, columns))
    for (const value of rows) yield { line: (line += 1), part: { value } };
}

/** Splits only at line feeds: JSON can contain other characters that some readers treat as line ends. */
async function* linesOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<SourceLine> {
  let line = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let text = Buffer.concat([rest, typeof chunk === 'string' ? Buffer.from(chunk) : chunk]);
    for (let end = text.indexOf(lineFeed); end >= 0; end = text.indexOf(lineFeed)) {
      yield* lineOf((line += 1), text.subarray(0, end));
      text = text.subarray(end + 1);
    }
    rest = text.length > longestLine ? text.subarray(0, longestLine + 1) : text;
  }
  yield* lineOf(line + 1, rest);
}

function* lineOf(line: number, bytes: Buffer): Generator<SourceLine> {
  if (bytes.length > longestLine) {
    yield { line, part: { unreadable: `The line is longer than ${longestLine} bytes.` } };
    return;
  }
  const text = bytes
    .toString()
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return;
  try {
    yield { line, part: { value: JSON.parse(text) as unknown } };
  } catch {
    yield { line, part: { unreadable: 'The line is not valid JSON.' } };
  }
}
