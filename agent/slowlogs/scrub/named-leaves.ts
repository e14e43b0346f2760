import { withoutEscapes } from './escapes.js';
import { backslashesAt } from './json-strings.js';
import type { Leaf, Naming } from './json-frames.js';
import { marker, type FoundSpan, type Span } from './span.js';
import type { View } from './view.js';

const nameAtMost = 400;

/** A name of a field as it is meant: a boost (`^2.0`) or a wildcard may follow it. */
export function nameIn(source: string, { start, end }: Span): string {
  const name = withoutEscapes(source.slice(start, Math.min(end, start + nameAtMost)));
  return /^[^^*]*/.exec(name)?.[0] ?? name;
}

const wordInScript = /[A-Za-z_][\w.-]{1,120}/g;

/** The names that some members give to others; of a script, each of its words may be one. */
export function* namesOf(source: string, { names, inScript }: Naming): Iterable<string> {
  for (const span of names)
    if (!inScript) yield nameIn(source, span);
    else
      for (const [word] of withoutEscapes(source.slice(span.start, span.end)).matchAll(wordInScript))
        yield word;
}

/**
 * Scalars by what their names say: `judge` tells it of a name, null where that is nothing, and `accept` whether it holds
 * for a value. Few may be taken: `mayBe` tells those apart before any name is read.
 */
export function leavesNamed<Says>(
  view: View,
  mayBe: (leaf: Leaf) => boolean,
  judge: (name: string) => Says | null,
  accept: (leaf: Leaf, says: Says) => boolean,
): readonly FoundSpan[] {
  const { source } = view;
  const { leaves, namings } = view.fields();
  const taken: Leaf[] = [];
  for (const leaf of leaves) {
    if (leaf.field === null || !mayBe(leaf)) continue;
    const says = judge(nameIn(source, leaf.field));
    if (says !== null && accept(leaf, says)) taken.push(leaf);
  }
  for (const { leaf, says } of leavesSaid(namings, leaves, (naming) => saidBy(source, naming, judge)))
    if (mayBe(leaf) && accept(leaf, says)) taken.push(leaf);
  return taken.map((leaf) => inPlaceOf(source, leaf)).filter((span) => span !== null);
}

function saidBy<Says>(
  source: string,
  naming: Naming,
  judge: (name: string) => Says | null,
): ReadonlySet<Says> {
  const said = new Set<Says>();
  for (const name of namesOf(source, naming)) {
    const says = judge(name);
    if (says !== null) said.add(says);
  }
  return said;
}

/** Members may hold each other: what is said of a leaf twice is given once. */
function* leavesSaid<Says>(
  namings: readonly Naming[],
  leaves: readonly Leaf[],
  saidOf: (naming: Naming) => ReadonlySet<Says>,
): Iterable<{ readonly leaf: Leaf; readonly says: Says }> {
  const ranges = namings
    .map((naming) => ({ said: saidOf(naming), held: naming.held }))
    .filter(({ said }) => said.size > 0)
    .flatMap(({ said, held }) => held.map(({ firstLeaf, lastLeaf }) => ({ said, firstLeaf, lastLeaf })))
    .sort((a, b) => a.firstLeaf - b.firstLeaf);
  const givenUntil = new Map<Says, number>();
  for (const { said, firstLeaf, lastLeaf } of ranges)
    for (const says of said) {
      for (let at = Math.max(firstLeaf, givenUntil.get(says) ?? 0); at < lastLeaf; at += 1) {
        const leaf = leaves[at];
        if (leaf !== undefined) yield { leaf, says };
      }
      givenUntil.set(says, Math.max(lastLeaf, givenUntil.get(says) ?? 0));
    }
}

/** A scalar with what replaces it; `null` says nothing and is left, and so is what was replaced where no string was. */
export function inPlaceOf(source: string, { start, end, isString, depth }: Leaf): FoundSpan | null {
  if (isString) return { start, end };
  const saysNothing = source.slice(start, end) === 'null' || source.startsWith(marker, start - 1);
  return saysNothing ? null : { start, end, replacement: quotedMarker(depth) };
}

export function quotedMarker(depth: number): string {
  const quote = `${'\\'.repeat(backslashesAt(depth))}"`;
  return `${quote}${marker}${quote}`;
}
