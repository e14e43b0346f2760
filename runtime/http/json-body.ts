import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonExcess } from '../../schemas/json-bounds.js';
import { Problem } from './problem.js';

/** Far more than 1,000 requests or events have. JSON.parse takes some 30 ms at worst for this much. */
const most = { depth: 100_000, values: 16_384 };

/** Reads JSON text in UTF-8, with or without a byte order mark. Of duplicate keys, the last one counts. */
export function parseJson(bytes: Buffer): unknown {
  return parsed(checkedText(bytes));
}

/** The same for a long text: checked in one turn of the event loop, and parsed in another. */
export async function parseLongJson(bytes: Buffer): Promise<unknown> {
  await nextTurn();
  const text = checkedText(bytes);
  await nextTurn();
  return parsed(text);
}

function checkedText(bytes: Buffer): string {
  if (bytes.length === 0) throw new Problem('malformed-body', 'The body is empty. Send a JSON object.');
  if (!isUtf8(bytes)) throw new Problem('malformed-body', 'The body is not valid UTF-8.');
  const excess = jsonExcess(bytes, most);
  if (excess === 'depth')
    throw new Problem('malformed-body', 'The body is nested deeper than any valid request.');
  if (excess === 'values')
    throw new Problem('body-too-large', `The body has more than ${most.values} values. Send fewer at once.`);
  return startsWithByteOrderMark(bytes) ? bytes.toString('utf8', 3) : bytes.toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed-body', `The body is not valid JSON${positionIn(error)}.`);
  }
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Returns only the position from the parser's message: the rest quotes the body. */
function positionIn(error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? '' : `: look at character ${position}`;
}
