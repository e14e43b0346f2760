import { credentialName, type CredentialName } from '../credential-keys.js';
import type { Fields } from '../field-tables.js';
import type { Held } from '../members.js';
import { backslashesAt, quotedMarker } from '../json-strings.js';
import { inPlaceOf, KnownNames, someSaid } from '../named-leaves.js';
import { inOrder } from '../replacements.js';
import type { FoundSpan } from '../span.js';
import type { Rule } from '../view.js';

/**
 * JSON that puts a name and its value into two members of one object: `{"name":"password","value":…}`, and searches that
 * name their fields beside their texts, `{"query":…,"fields":["password^1.0"]}`, in whatever order, or in a script beside
 * its parameters.
 */
export const namedPairs: Rule = {
  name: 'named-pairs',
  find(view) {
    const { source } = view;
    const fields = view.fields();
    const spans: FoundSpan[] = [];
    const { held, namings } = fields;
    if (namings.length === 0) return spans;
    const known = new KnownNames(source);
    for (let naming = 0; naming < namings.length; naming += 1) {
      if (!someSaid(source, fields, naming, credentialName, isStrong, known)) continue;
      const { start, end } = namings.heldOf(naming);
      for (let at = start; at < end; at += 1) {
        const span = valueOf(source, held.at(at), fields);
        if (span !== null) spans.push(span);
      }
    }
    return outermost(spans);
  },
};

const isStrong = (says: CredentialName): boolean => says === 'strong';

function valueOf(
  source: string,
  { start, end, depth, firstLeaf }: Held,
  { leaves }: Fields,
): FoundSpan | null {
  const first = source[start];
  if (first === '{' || first === '[') return { start, end, replacement: quotedMarker(backslashesAt(depth)) };
  return firstLeaf < leaves.length ? inPlaceOf(source, leaves.at(firstLeaf)) : null;
}

/** Pairs may hold each other. */
function outermost(spans: readonly FoundSpan[]): FoundSpan[] {
  const kept: FoundSpan[] = [];
  for (const span of inOrder(spans)) if (span.end > (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}
