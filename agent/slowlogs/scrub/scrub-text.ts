import { companions } from './companions.js';
import { looksRandom } from './randomness.js';
import { doubtfulRules, namedRules, shapeRules, spokenRules } from './rules/all.js';
import { inOrder, merged, replaced, type Scrubbed } from './replacements.js';
import { spanOf, type FoundSpan, type Span } from './span.js';
import { UnicodeMarks } from './unicode-marks.js';
import { viewOf, type Rule, type View } from './view.js';
import { withinJson } from './within-json.js';

/** A replacement may show the next credential, as a mark that seemed to open a value may be gone. */
const passesAtMost = 6;

/**
 * Replaces every credential in a text, until none is found any more. Pure; linear in its length. JSON stays JSON, and
 * what was scrubbed once is left as it is.
 */
export function scrubText(source: string): Scrubbed {
  let scrubbed: Scrubbed = { text: source, replacements: [] };
  for (let pass = 0; pass < passesAtMost; pass += 1) {
    const before = scrubbed.text;
    scrubbed = scrubbedOnce(scrubbed);
    if (scrubbed.text === before) break;
  }
  return scrubbed;
}

function scrubbedOnce({ text, replacements: earlier }: Scrubbed): Scrubbed {
  const marks = new UnicodeMarks(text);
  const source = marks.text;
  const view = viewOf(source);
  const query = view.asQuery();
  const named = [...foundBy(namedRules, view), ...foundBy(spokenRules, query)];
  const shaped = [...foundBy(shapeRules, view), ...foundBy(shapeRules, query)];
  const found = [
    ...marks
      .fromSource(earlier)
      .map(({ start, end }) => ({ start, end, replacement: source.slice(start, end) })),
    ...named,
    ...repetitions(source, named),
    ...shaped,
    ...companions(view, [...named, ...shaped]),
    ...foundBy(doubtfulRules, view),
  ];
  const sound = found.length === 0 ? [] : withinJson(view.sourceUnits, view.tokens(), inOrder(found));
  return replaced(text, marks.inSource(sound));
}

/** A name of an index, a node or a cluster: only what says of itself that it is a credential is none. */
export function scrubName(name: string): Scrubbed {
  const view = viewOf(name);
  return replaced(name, merged(inOrder(foundBy(shapeRules, view))));
}

const foundBy = (rules: readonly Rule[], view: View | null): readonly FoundSpan[] =>
  view === null ? [] : rules.flatMap((rule) => rule.find(view));

const repetitionsAtMost = 20;

/** What was a credential where a name said so is one where none does. */
function repetitions(source: string, named: readonly FoundSpan[]): Span[] {
  const values = named.map(({ start, end }) => source.slice(start, Math.min(end, start + 512)));
  const distinct = new Set(values.filter((value) => looksRandom(value, 12)));
  return [...distinct].slice(0, repetitionsAtMost).flatMap((value) => {
    const spans: Span[] = [];
    for (let at = source.indexOf(value); at !== -1; at = source.indexOf(value, at + value.length)) {
      spans.push(spanOf(at, at + value.length));
    }
    return spans;
  });
}
