import { inPlaceOf } from '../named-leaves.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';

/**
 * Where JSON was cut off, what its open objects look for may have been named behind: `{"query":"…","fields":["password"]}`.
 * Queries in a language of their own name their fields, but for a comparison at the end, `WHERE 'x' = password`.
 */
export const unnamedValues: Rule = {
  name: 'unnamed-values',
  find(view) {
    const { source, cutOff } = view;
    if (!cutOff) return [];
    const { leaves, unnamed } = view.fields();
    const texts = unnamed.flatMap((place) => {
      const leaf = leaves.at(place);
      const isNamed = namesFields.test(source.slice(leaf.start, Math.min(leaf.end, leaf.start + readAtMost)));
      return isNamed ? [] : (inPlaceOf(source, leaf) ?? []);
    });
    return [...texts, ...lastCompared(view)];
  },
};

const readAtMost = 4_096;
const namesFields = /[\w)\]"'][ \t]{0,4}[:=<>|]|^\s*(?:from|select|show|row)\s/i;

const compared =
  /\b(?:where|and|or|not|when)[ \t(]{1,8}(["'])(?<value>[^"'\n]{1,512})(?:["'][ \t]{0,4}(?:[=!<>]{1,3}[ \t]{0,4}[\w.]{0,60})?)?$/i;
const endAtMost = 700;

function lastCompared(view: View): readonly FoundSpan[] {
  const from = Math.max(0, view.plain.length - endAtMost);
  const match = compared.exec(view.plain.slice(from));
  const value = match?.groups?.['value'];
  if (match === null || value === undefined) return [];
  const start = from + match.index + match[0].search(/["']/) + 1;
  return [inSource(view, start, start + value.length)];
}
