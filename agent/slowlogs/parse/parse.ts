import { readEcs } from './ecs.js';
import { readJson } from './json.js';
import { readJsonLine } from './json-line.js';
import type { Parsed, RawFields } from './logged-operation.js';
import { operationOf } from './operation-of.js';
import { beginsPlainEntry, readPlain } from './plain.js';
import { hostOffset } from './values.js';

/** Whether a line begins an entry; any other continues the one before it. */
export function beginsEntry(line: string): boolean {
  return beginsJsonEntry(line) || beginsPlainEntry(line);
}

/** A JSON entry is one line. A document in a plain entry may have lines that begin alike, but not with such names. */
export function beginsJsonEntry(line: string): boolean {
  return /^\{"(?:type|@timestamp)": ?"[^"\\]{1,64}", ?"(?:timestamp|log\.level)": ?"/.test(
    line.slice(0, 200),
  );
}

/** One entry of a log, of any format from 6.3 to 9.x, without its last line break. */
export function parseEntry(text: string, localOffset = hostOffset): Parsed {
  const raw = text.startsWith('{') ? readLine(text) : readPlain(text);
  return raw === null ? { is: 'other' } : operationOf(raw, localOffset);
}

function readLine(text: string): RawFields | null {
  const fields = readJsonLine(text);
  if (fields === null) return null;
  return '@timestamp' in fields ? readEcs(fields) : readJson(fields);
}
