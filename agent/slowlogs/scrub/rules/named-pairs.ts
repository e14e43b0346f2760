import { credentialName } from '../credential-keys.js';
import type { Held, Leaf } from '../json-frames.js';
import { inPlaceOf, namesOf, quotedMarker } from '../named-leaves.js';
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
    const { leaves, namings } = view.fields();
    return outermost(
      namings
        .filter((naming) => someIn(namesOf(source, naming), (name) => credentialName(name) === 'strong'))
        .flatMap(({ held }) => held.map((value) => valueOf(source, value, leaves)))
        .filter((span) => span !== null),
    );
  },
};

function valueOf(
  source: string,
  { start, end, depth, firstLeaf }: Held,
  leaves: readonly Leaf[],
): FoundSpan | null {
  const first = source[start];
  if (first === '{' || first === '[') return { start, end, replacement: quotedMarker(depth) };
  const leaf = leaves[firstLeaf];
  return leaf === undefined ? null : inPlaceOf(source, leaf);
}

function someIn<Item>(items: Iterable<Item>, accept: (item: Item) => boolean): boolean {
  for (const item of items) if (accept(item)) return true;
  return false;
}

/** Pairs may hold each other. */
function outermost(spans: readonly FoundSpan[]): FoundSpan[] {
  const kept: FoundSpan[] = [];
  for (const span of inOrder(spans)) if (span.end > (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}
