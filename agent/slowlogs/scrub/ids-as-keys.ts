import type { Fields, Spans } from './field-tables.js';
import type { Held } from './members.js';
import { saysIds } from './id-names.js';
import { someSaid } from './named-leaves.js';
import type { Span } from './span.js';
import type { View } from './view.js';

/**
 * Ids that a script looks up in a map among its parameters: `params.boosts.get(doc['_id'].value)`. The parameters
 * themselves have names, and so has what the script takes from a map by name.
 */
export function idsAsKeys(view: View): readonly Span[] {
  const { source } = view;
  const fields = view.fields();
  const { namings, held } = fields;
  const found: Span[] = [];
  const maps: { readonly map: Held; readonly naming: number }[] = [];
  for (let naming = 0; naming < namings.length; naming += 1) {
    if (!namings.inScript(naming)) continue;
    if (!someSaid(source, fields, naming, saysIds, () => true)) continue;
    const { start, end } = namings.heldOf(naming);
    for (let at = start; at < end; at += 1) maps.push({ map: held.at(at), naming });
  }
  maps.sort((a, b) => a.map.start - b.map.start);
  let readUntil = 0;
  for (const { map, naming } of maps) {
    if (map.start < readUntil) continue; // it stands in the last
    readUntil = map.end;
    const taken = takenByName(source, fields, naming);
    for (const key of keysOfMaps(source, fields, map))
      if (!taken.has(source.slice(key.start, key.end))) found.push(key);
  }
  return found;
}

/** What a script takes by name from what it has: `.boost`. */
function takenByName(source: string, { names, namings }: Fields, naming: number): ReadonlySet<string> {
  const { start, end } = namings.namesOf(naming);
  const taken = new Set<string>();
  for (let at = start; at < end; at += 1)
    for (const [, name = ''] of source.slice(names.startOf(at), names.endOf(at)).matchAll(/\.(\w+)/g))
      taken.add(name);
  return taken;
}

/** Keys of objects within an object. Between its keys and scalars stand only the signs of JSON. */
function keysOfMaps(source: string, { keys, leaves }: Fields, map: Held): readonly Span[] {
  const found: Span[] = [];
  let key = firstFrom(keys, map.start);
  let leaf = map.firstLeaf;
  let level = 0;
  for (let at = map.start; at < map.end;) {
    while (key < keys.length && keys.startOf(key) < at) key += 1; // of JSON in a string
    while (leaf < map.lastLeaf && leaves.startOf(leaf) < at) leaf += 1;
    const keyStart = key < keys.length ? keys.startOf(key) : map.end;
    const leafStart = leaf < map.lastLeaf ? leaves.startOf(leaf) : map.end;
    const next = Math.min(keyStart, leafStart, map.end);
    for (; at < next; at += 1) level += levelBy(source.charCodeAt(at));
    if (next === map.end) return found;
    if (next === leafStart) at = Math.max(leaves.endOf(leaf), at + 1);
    else {
      if (level > 1) found.push(keys.at(key));
      at = keys.endOf(key);
    }
  }
  return found;
}

const [openBrace, closeBrace] = [123, 125];
const levelBy = (code: number): number => (code === openBrace ? 1 : code === closeBrace ? -1 : 0);

function firstFrom(keys: Spans, place: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys.startOf(middle) >= place) high = middle;
    else low = middle + 1;
  }
  return low;
}
