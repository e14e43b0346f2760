import { inJson } from './json-values.js';
import { credentialName } from './names.js';
import { withoutFar } from './nearby-identifiers.js';
import { findIn, type Rules } from './nested-text.js';
import { looksRandom } from './randomness.js';
import {
  countUpTo,
  finding,
  marker,
  merged,
  redactionsIn,
  replaced,
  unscrubbed,
  type Finding,
  type Scrubbed,
  type Span,
} from './replacements.js';
import { inForms, inText } from './texts.js';

/** A replacement can reveal the next credential, because a mark that seemed to open a value can be gone. */
const passesAtMost = 5;

const credentialRules: Rules = {
  inText,
  inJson,
  takesWhole: (name) => credentialName(name) === 'strong',
  readsUnescaped: () => true,
};

/**
 * Replaces every credential in a text, until none is found any more. Pure. JSON stays JSON, and a scrubbed
 * text is unchanged. `isCut`: the text continued after its end. Digests can have replaced the ids in it
 * before.
 */
export function scrubText(source: string | Scrubbed, isCut = false): Scrubbed {
  let scrubbed = typeof source === 'string' ? unscrubbed(source) : source;
  for (let pass = 0; pass < passesAtMost; pass += 1) {
    const { text } = scrubbed;
    const replacements = redactionsIn(scrubbed.replacements);
    const found = withoutFar(findIn(text, isCut, credentialRules));
    const starts = replacements.map(({ start }) => start);
    const isNew = ({ start, end }: Span): boolean =>
      end > (replacements[countUpTo(starts, start) - 1]?.end ?? -1);
    const added = found.filter(isNew);
    if (added.length === 0) return scrubbed;
    const kept = replacements.map((span) => ({
      ...span,
      role: 'credential' as const,
      replacement: text.slice(span.start, span.end),
    }));
    scrubbed = replaced(scrubbed, merged([...kept, ...added, ...repetitions(text, added)]));
  }
  return scrubbed;
}

/** A name of an index, a node or a cluster: only credentials that their form identifies are replaced. */
export const scrubName = (name: string): Scrubbed => replaced(unscrubbed(name), merged(inForms(name)));

const repetitionsAtMost = 20;

/** A credential that looks random is redacted wherever else it occurs. */
function repetitions(text: string, found: readonly Finding[]): readonly Finding[] {
  const values = new Set(
    found
      .filter(({ role, replacement }) => role === 'credential' && replacement === marker)
      .map(({ start, end }) => text.slice(start, Math.min(end, start + 512)))
      .filter((value) => looksRandom(value, 12)),
  );
  return [...values].slice(0, repetitionsAtMost).flatMap((value) => {
    const again: Finding[] = [];
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
      again.push(finding('repetition of a credential', at, at + value.length));
    return again;
  });
}
