import { readEcs } from './ecs.js';
import { readJson } from './json.js';
import { readJsonLine } from './json-line.js';
import type { Parsed } from './logged-operation.js';
import { operationOf } from './operation-of.js';
import { beginsPlainEntry, readPlain } from './plain.js';
import { hostOffset } from './values.js';

/** Whether a line begins an entry; any other line continues the one before it. */
export function beginsEntry(line: string): boolean {
  return beginsJsonEntry(line) || beginsPlainEntry(line);
}

/**
 * A JSON entry is one line. A document in a plain entry can have lines that begin similarly, but not with
 * such names.
 */
export function beginsJsonEntry(line: string): boolean {
  return /^\{"(?:type|@timestamp)": ?"[^"\\]{1,64}", ?"(?:timestamp|log\.level)": ?"/.test(
    line.slice(0, 200),
  );
}

/**
 * One entry of a log, of any format from 6.3 to 9.x, without its last line break. If it is so long that its
 * middle is missing, `tail` is its end.
 */
export function parseEntry(text: string, localOffset = hostOffset, tail: string | null = null): Parsed {
  if (!text.startsWith('{')) {
    const plain = readPlain(text, tail);
    return plain === null ? { is: 'other' } : operationOf(plain, localOffset);
  }
  const fields = readJsonLine(text, tail);
  const raw = fields === null ? null : '@timestamp' in fields ? readEcs(fields) : readJson(fields);
  if (raw !== null && raw.logger !== null) return operationOf(raw, localOffset);
  const isSlow = [text, tail ?? ''].some((part) => part.includes('slowlog'));
  return isSlow ? { is: 'unreadable', reason: 'no JSON, or no logger' } : { is: 'other' };
}
