import { doubtfulAtLeast } from '../doubtful.js';
import { spanOf, type Span } from '../span.js';
import type { Units } from '../units.js';
import { isBlank } from './blanks.js';
import { Alphabet } from './runs.js';

const ofWords = Alphabet.of('[^\\s"\'`,;()[\\]]');
const isOfWord = (code: number): boolean => ofWords.has(code) && (code < 128 || !isBlank(code));
/** Longer ones are taken for several. */
const longest = 512;

/** Words that are long enough for a credential. Read by hand: an expression would try short ones again at each of their letters. */
export function eachLongWord(units: Units, { start, end }: Span, give: (word: Span) => void): void {
  for (let from = start; from < end;) {
    const to = wordEnd(units, from, end);
    if (to - from >= doubtfulAtLeast) give(spanOf(from, to));
    from = to - from === longest ? to : to + 1;
  }
}

function wordEnd(units: Units, from: number, end: number): number {
  const until = Math.min(end, from + longest);
  let to = from;
  while (to < until && isOfWord(units.at(to))) to += 1;
  return to;
}
