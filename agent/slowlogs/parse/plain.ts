import { readBody } from './body.js';
import type { RawFields } from './logged-operation.js';
import { operationLogged } from './loggers.js';

/** `[timestamp][LEVEL][logger] [node] `, as every plain entry begins, from 6.x to 7.17; older ones name no node. */
const header = /^\[([^\]]{10,40})\]\[([A-Z ]{4,6})\]\[([\w. $-]{1,200})\] {0,2}(?:\[([^\r\n[\]]{1,255})\] )?/;

/** Whether a line begins an entry of a plain log. */
export function beginsPlainEntry(line: string): boolean {
  return /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[,.]\d{3}/.test(line) && header.test(line.slice(0, 700));
}

/**
 * An entry of a plain log: one line, or several if the source was not reformatted. Null if it is not from a
 * slow log.
 */
export function readPlain(text: string, tail: string | null): RawFields | null {
  const matched = header.exec(text.slice(0, 700));
  if (matched === null) return null;
  const [whole, timestamp = '', level = '', logger = '', node] = matched;
  const logged = operationLogged(logger);
  if (logged === undefined) return null;
  const rest = text.slice(whole.length);
  // Without a node, the index follows instead.
  const body = node === undefined || rest.startsWith('[') ? rest : `[${node}] ${rest}`;
  return {
    ...readBody(` ${body}`, logged.kind, tail),
    timestamp,
    level,
    logger,
    nodeName: body === rest ? (node ?? null) : null,
  };
}
