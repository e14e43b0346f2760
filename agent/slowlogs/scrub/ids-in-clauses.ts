import { nowhere, type Fields, type Spans } from './field-tables.js';
import { inPlaceOf } from './named-leaves.js';
import type { FoundSpan } from './span.js';
import type { View } from './view.js';

/** What a field holds. */
const [unknown, ofIds, ofOthers] = [0, 1, 2];

/**
 * Ids of documents under words that are names of anybody's fields elsewhere: `{"ids":{"values":[…]}}`,
 * `{"pinned":{"ids":[…]}}`, and the `id` of the clauses below and of the lookup of a `terms`.
 */
export function idsInClauses(view: View): readonly FoundSpan[] {
  const { source } = view;
  const fields = view.fields();
  const { leaves } = fields;
  const found: FoundSpan[] = [];
  const known = new Uint8Array(fields.keys.length);
  for (let at = 0; at < leaves.length; at += 1) {
    const field = leaves.fieldOf(at);
    if (field === nowhere) continue;
    if (known[field] === unknown) known[field] = holdsIds(source, fields, at) ? ofIds : ofOthers;
    const span = known[field] === ofIds ? inPlaceOf(source, leaves.at(at)) : null;
    if (span !== null) found.push(span);
  }
  return found;
}

/** Whether the field of a leaf, the first of it, holds ids of documents. */
function holdsIds(source: string, { keys, leaves }: Fields, leaf: number): boolean {
  const [field, owner] = [leaves.fieldOf(leaf), leaves.ownerOf(leaf)];
  if (isKey(source, keys, field, 'ids')) {
    const start = leaves.startOf(leaf);
    return (
      listBegins.test(source.slice(Math.max(0, start - listBeginsAtMost), start)) ||
      isKey(source, keys, owner, 'pinned')
    );
  }
  if (owner === nowhere || !isKey(source, keys, field, 'id')) return false;
  if (clausesOfOne.some((name) => isKey(source, keys, owner, name))) return true;
  return isLookedUp(source, keys, owner) && !isOrder(source.slice(leaves.startOf(leaf), leaves.endOf(leaf)));
}

/** `values` is a word of the search, and what stands under it is of the field above. Blanks may be escaped. */
const listBegins = /"values\\*"[\s\\nrt]*:[\s\\nrt]*(?:\[[\s\\nrt]*)?"?$/;
const listBeginsAtMost = 200;

/** Clauses that name one document by its `id`. */
const clausesOfOne = ['parent_id', 'percolate', 'indexed_shape'];

/** What may stand before the field in a `terms`. */
const besideField = ['boost', '_name'];

const opens = /^\\*"[\s\\nrt]*:[\s\\nrt]*\{[\s\\nrt]*"$/;
const opensAtMost = 400;

/** Whether a key is the field of a `terms`, which holds an object only to say which document has its terms. */
function isLookedUp(source: string, keys: Spans, field: number): boolean {
  let first = field;
  for (let skipped = 0; skipped < besideField.length; skipped += 1)
    if (besideField.some((name) => isKey(source, keys, first - 1, name))) first -= 1;
  if (!isKey(source, keys, first - 1, 'terms')) return false;
  const [from, to] = [keys.endOf(first - 1), keys.startOf(first)];
  return to - from <= opensAtMost && opens.test(source.slice(from, to));
}

/** The buckets of an aggregation `terms` are sorted by another that may be called `id`. */
const isOrder = (value: string): boolean => value === 'asc' || value === 'desc';

function isKey(source: string, keys: Spans, key: number, name: string): boolean {
  if (key < 0) return false;
  const start = keys.startOf(key);
  return keys.endOf(key) - start === name.length && source.startsWith(name, start);
}
