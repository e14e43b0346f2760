import { credentialName } from '../credential-keys.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule } from '../view.js';

/** `INSERT INTO users (name, password) VALUES ('bob', '…')`: a row goes whole, where one of its columns is a credential. */
export const sqlInserts: Rule = {
  name: 'sql-inserts',
  find(view) {
    const { plain } = view;
    const spans: FoundSpan[] = [];
    if (!/into\s/i.test(plain)) return spans;
    insert.lastIndex = 0;
    for (let found = insert.exec(plain); found !== null; found = insert.exec(plain)) {
      const columns = found.groups?.['columns'] ?? '';
      if (!columns.split(',').some((column) => credentialName(column) === 'strong')) continue;
      for (let at = insert.lastIndex; ;) {
        row.lastIndex = at;
        const values = row.exec(plain)?.groups?.['values'];
        if (values === undefined) break;
        const start = at + (plain.slice(at, row.lastIndex).indexOf('(') + 1);
        const end = Math.min(start + values.length, view.stringEnd(start));
        if (end > start) spans.push(inSource(view, start, end));
        at = row.lastIndex;
        insert.lastIndex = at;
      }
    }
    return spans;
  },
};

const insert =
  /\b(?:insert|replace)\s{1,8}into\s{1,8}[\w.`"'[\]]{1,100}\s{0,8}\((?<columns>[^()]{1,1000})\)\s{0,8}values/gi;
/** The last may be cut off. */
const row = /\s{0,8},?\s{0,8}\((?<values>(?:'[^']*(?:'|$)|"[^"]*(?:"|$)|[^()'"])*)(?:\)|$)/y;
