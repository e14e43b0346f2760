import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../../runtime/http/json-body.js';
import { Problem } from '../../../runtime/http/problem.js';

/** How many requests a batch may have. */
export const largestBatch = 1_000;

export const batchMediaTypes = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
] as const;

/** One request of a batch as it came: its value, or why it has none. */
export type BatchPart = { readonly value: unknown } | { readonly unreadable: string };

/** The requests of a body: an array as `application/json`, else one a line, where a broken line harms no other. */
export function partsOf(body: Buffer, mediaType: string): readonly BatchPart[] {
  const parts =
    mediaType === 'application/json' ? elementsOf(parseJson(body)) : linesOf(body).map(partOfLine);
  if (parts.length === 0) throw invalid('The batch is empty. Send at least one request.');
  if (parts.length > largestBatch)
    throw invalid(`The batch has ${parts.length} requests. Send at most ${largestBatch} at once.`);
  return parts;
}

function elementsOf(value: unknown): readonly BatchPart[] {
  if (!Array.isArray(value))
    throw invalid('The body must be a JSON array of requests; or one a line, as application/x-ndjson.');
  return value.map((element: unknown) => ({ value: element }));
}

const lineFeed = 0x0a;
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** Blank lines don't count, nor does a byte order mark. */
function linesOf(body: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let start = body.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0;
  while (start < body.length) {
    const next = body.indexOf(lineFeed, start);
    const end = next === -1 ? body.length : next;
    const line = body.subarray(start, end);
    if (!isBlank(line)) lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** Only the white space of JSON counts. */
const isBlank = (line: Buffer): boolean =>
  line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

function partOfLine(line: Buffer): BatchPart {
  if (!isUtf8(line)) return { unreadable: 'This line is not valid UTF-8.' };
  try {
    return { value: JSON.parse(line.toString('utf8')) };
  } catch {
    return { unreadable: 'This line is not valid JSON. Send one JSON object a line.' };
  }
}

function invalid(detail: string): Problem {
  return new Problem('invalid', detail, { errors: [{ pointer: '', detail }] });
}
