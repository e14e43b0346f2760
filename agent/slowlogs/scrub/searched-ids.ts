import { opaque } from '../opaque-ids.js';
import { assignments, turnedComparisons, type Naming } from './assignments.js';
import { nothing, relate, wrappers, type NameClassifier, type Said } from './clauses.js';
import type { FindIn } from './json-values.js';
import type { JsonNode, JsonString } from './json.js';
import { findIn, type Rules } from './nested-text.js';
import { remembered } from './names.js';
import {
  countUpTo,
  finding,
  idRule,
  marker,
  merged,
  replaced,
  unscrubbed,
  type Finding,
  type Scrubbed,
} from './replacements.js';
import { inString } from './unescaped-text.js';

const mayName = /routing|_id|ids?\\*["u]|#/;

/**
 * A search whose ids of documents and routings are replaced like its own id (by `opaque`), so that they may
 * leave the host. Pure.
 */
export function withoutIds(text: string, digestKey: string): Scrubbed {
  if (!mayName.test(text)) return unscrubbed(text);
  const takenIn = remembered((source) => (source.match(/(?<=\.)\w+/g) ?? []).sort());
  const isTaken: IsTaken = (source, key) => {
    const taken = takenIn(source);
    const at = countUpTo(taken, key);
    return /^\w+$/.test(key) && (taken[at - 1] === key || taken[at]?.startsWith(key) === true);
  };
  const rules: Rules = {
    inText: (text) => inText(text, digestKey),
    inJson: (source, root, within) => inJson(source, root, within, digestKey, isTaken),
    takesWhole: () => false,
    readsUnescaped: (text) => /[{[]\s*\\+"|\\u0022|\\x22|%22/.test(text),
  };
  return replaced(unscrubbed(text), merged(findIn(text, false, rules)));
}

/** Names of ids of documents or routings. A script can read the first as its own field, `doc._id.value`. */
const names: ReadonlySet<string> = new Set(['_id', '_routing', 'routing', 'doc._id', 'doc._id.value']);
/** A join field has another field for the ids of parents, named after it and their relation: `my_join#question`. */
const joins = /^[^#]+#./;

const idClassifier: NameClassifier = {
  says: (name) => (names.has(name) || joins.test(name) ? 'strong' : 'none'),
  isName: (text) => names.has(text),
  isNearby: () => false,
};

/** An id as it may leave the host; null if it can stay unchanged. */
function shownId(id: string, digestKey: string): string | null {
  if (id === '' || names.has(id) || /^hmac-[0-9a-f]{24}$/.test(id) || id.includes(marker)) return null;
  const shown = opaque(id, digestKey);
  return shown === id ? null : shown;
}

const idAt = (start: number, end: number, replacement: string): Finding => ({
  ...finding(idRule, start, end),
  replacement,
});

/** Whether a script reads a member of this name (`.boost`), or one whose name begins with it. */
type IsTaken = (source: string, key: string) => boolean;

function inJson(
  source: string,
  root: JsonNode,
  findWithin: FindIn,
  digestKey: string,
  isTaken: IsTaken,
): readonly Finding[] {
  const found: Finding[] = [];
  const said = new Map<JsonNode, Said>();
  const take = (node: JsonNode): void => {
    const id = node.kind === 'string' ? node.value : source.slice(node.start, node.end);
    if (node.kind === 'scalar' && /^(?:true|false|null)$/.test(id)) return;
    const shown = shownId(id, digestKey);
    if (shown !== null) found.push(idAt(node.start, node.end, node.kind === 'string' ? shown : `"${shown}"`));
  };
  const visit = (node: JsonNode, holdsIds: boolean, keys: readonly string[]): void => {
    if (node.kind === 'string' || node.kind === 'scalar') {
      if (holdsIds) take(node);
      else if (node.kind === 'string') found.push(...inString(node, findWithin(node.value, node.isOpen)));
      return;
    }
    relate(node, idClassifier, (value, known) => said.set(value, known));
    for (const { key, value } of node.members) {
      const name = key?.value ?? null;
      const isTold = (said.get(value) ?? nothing).says === 'strong';
      const isParameter = isTold && keys.at(-1) === 'params';
      if (isParameter) for (const id of keysOfMaps(value)) if (!isTaken(source, id.value)) take(id);
      const isOfIds =
        name !== null && (idClassifier.says(name) === 'strong' || isIdOfClause(name, value, keys));
      const isWrapped = name === null || wrappers.has(name);
      visit(value, isOfIds || isTold || (holdsIds && isWrapped), name === null ? keys : [...keys, name]);
    }
  };
  visit(root, false, []);
  return found;
}

/** Clauses that name one document by its `id`. */
const clausesOfOne: ReadonlySet<string> = new Set(['parent_id', 'percolate', 'indexed_shape']);

/** Ids under words that are also names of fields: `{"ids":{"values":[…]}}`, `{"parent_id":{"id":…}}`. */
function isIdOfClause(name: string, value: JsonNode, keys: readonly string[]): boolean {
  const above = keys.at(-1);
  if (name === 'values') return above === 'ids';
  if (name === 'ids') return above === 'pinned';
  if (name !== 'id') return false;
  if (above !== undefined && clausesOfOne.has(above)) return true;
  const isOrder = value.kind === 'string' && /^(?:asc|desc)$/.test(value.value);
  return keys.at(-2) === 'terms' && value.kind !== 'array' && !isOrder && value.kind !== 'object';
}

/** Keys of a map among the parameters of a script: the script can look them up by an id. */
function keysOfMaps(value: JsonNode): readonly JsonString[] {
  if (value.kind !== 'object') return [];
  return value.members.flatMap(({ key, value: below }) => [
    ...(key === null ? [] : [key]),
    ...keysOfMaps(below),
  ]);
}

const naming = (says: Naming['says']): Naming => ({
  rule: idRule,
  role: 'credential',
  says,
  accept: (value) => !noId.test(value),
});

/** A word between values, the boost of a group, or a parameter of a query or a script. */
const noId = /^(?:AND|OR|NOT|TO|&&|\|\||[\^~][\d.]{0,5}|\?\d?|params(?:[.[][\w.]*)?|)$/i;
/** In texts, each id is searched separately, like a list under a name that might be a credential's. */
const inTexts = naming((name) => (idClassifier.says(name) === 'strong' ? 'weak' : 'none'));

/** `_id:"…"` of query strings, `_id == "…"` and `'…'.equals(doc['_id'].value)` of other queries and of scripts. */
function inText(text: string, digestKey: string): readonly Finding[] {
  if (!mayName.test(`${text}"`)) return [];
  return [...assignments(text, inTexts, false), ...turnedComparisons(text, inTexts)].flatMap(
    ({ start, end }) => {
      const mark = /["'`]/.test(text.charAt(start - 1)) ? text.charAt(start - 1) : '';
      const written = text.slice(start, end);
      const before = mark === '' ? (/^[-+!]+(?=.)/.exec(written)?.[0].length ?? 0) : 0;
      const behind = mark === '' ? (/(?:\^|~)[\d.]{0,5}$/.exec(written)?.[0].length ?? 0) : 0;
      const [from, to] = [start + before, end - behind];
      const isRaw = text.startsWith('"""', from - 3);
      const shown = shownId(withoutOwnEscapes(text.slice(from, to), mark, isRaw), digestKey);
      return shown === null ? [] : [idAt(from, to, shown)];
    },
  );
}

/**
 * In Lucene's syntax, in ES|QL and in EQL, a backslash escapes what follows it. Between single quotes,
 * Painless escapes only the quote and the backslash, and SQL doubles the quote. Between triple quotes nothing
 * is escaped.
 */
function withoutOwnEscapes(text: string, mark: string, isRaw: boolean): string {
  if (isRaw) return text;
  if (mark === "'") return text.replace(/\\([\\'])|''/g, (_, escaped?: string) => escaped ?? "'");
  return text.replace(/\\([^])/g, '$1');
}
