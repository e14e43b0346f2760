import { parseJson, parseLongJson } from '../../../runtime/http/json-body.js';
import { Problem } from '../../../runtime/http/problem.js';
import { inSlices } from '../../../runtime/slice.js';

/** How many requests a batch may have. */
export const largestBatch = 1_000;

export const batchMediaTypes = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
] as const;

/** One request of a batch as it was sent: its value, or why it has none. */
export type BatchPart = { readonly value: unknown } | { readonly unreadable: string };

/**
 * Applies `of` to each request of a body: the elements of an array if it is `application/json`, otherwise its
 * lines. An invalid line does not affect the others. Lines are counted before any is parsed. Only one line's
 * value is in memory at a time, because collecting the garbage of all at once would block the event loop.
 */
export async function readBatch<Result>(
  body: Buffer,
  mediaType: string,
  of: (part: BatchPart, index: number) => Result,
): Promise<readonly Result[]> {
  if (mediaType === 'application/json')
    return inSlices(notEmpty(elementsOf(await parseLongJson(body))), (value, index) => of({ value }, index));
  return inSlices(notEmpty(linesOf(body)), (line, index) => of(partOfLine(line), index));
}

function notEmpty<Element>(elements: readonly Element[]): readonly Element[] {
  if (elements.length > 0) return elements;
  throw invalid('The batch is empty. Send at least one request.');
}

function elementsOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value))
    throw invalid(
      'The body must be a JSON array of requests, or one request per line as application/x-ndjson.',
    );
  if (value.length > largestBatch) throw tooMany();
  return value;
}

const [lineFeed, carriageReturn, tab, space] = Buffer.from('\n\r\t ');
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** Blank lines don't count, nor does a byte order mark. */
function linesOf(body: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let start = body.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0;
  let isBlank = true;
  for (let at = start; at <= body.length; at++) {
    const byte = body[at];
    if (byte === undefined || byte === lineFeed) {
      if (!isBlank) lines.push(body.subarray(start, at));
      if (lines.length > largestBatch) throw tooMany();
      start = at + 1;
      isBlank = true;
    } else if (byte !== space && byte !== tab && byte !== carriageReturn) isBlank = false;
  }
  return lines;
}

function partOfLine(line: Buffer): BatchPart {
  try {
    return { value: parseJson(line) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { unreadable: error.message.replace('The body', 'This line') };
  }
}

function tooMany(): Problem {
  return invalid(`The batch has more than ${largestBatch} requests. Send at most ${largestBatch} at once.`);
}

function invalid(detail: string): Problem {
  return new Problem('invalid', detail, { errors: [{ pointer: '', detail }] });
}
