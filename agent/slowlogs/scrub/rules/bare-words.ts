import type { View } from '../view.js';
import { isEscapedMore } from './escaped-marks.js';
import { Alphabet } from './runs.js';

const ofWords = Alphabet.of('[A-Za-z0-9_]');
/** What may stand in a word of a query and bound one elsewhere. */
const bounds = Alphabet.of("['`<>]");
const [slash, less, greater] = [47, 60, 62];
const expressionAtMost = 1_000;

/** What a value without quotation marks may hold where it is a query's. */
export class BareWords {
  readonly #view: View;
  #from = 0;
  #slash = -1;

  constructor(view: View) {
    this.#view = view;
  }

  /** Whether a word goes on behind a bound of it: letters are on both sides, and it is none of a tag's. */
  goesOn(bound: number, runEnd: (from: number) => number): boolean {
    const { units } = this.#view;
    const code = units.at(bound);
    if (!bounds.has(code) || !ofWords.has(units.at(bound - 1)) || !ofWords.has(units.at(bound + 1)))
      return false;
    return code !== less || units.at(runEnd(bound + 1)) !== greater;
  }

  /** Behind a regular expression of Lucene's syntax, `/a b/`; the place where it begins if none does. */
  expressionEnd(start: number): number {
    const { units } = this.#view;
    if (units.at(start) !== slash) return start;
    if (start < this.#from || start >= this.#slash) this.#slash = this.#closingSlash(start);
    this.#from = start;
    const end = this.#slash + 1;
    return end - start <= expressionAtMost && end <= this.#view.stringEnd(start) ? end : start;
  }

  /** The next that no letter follows and that is not escaped; it is remembered, as all that begin before it ask. */
  #closingSlash(start: number): number {
    const { units } = this.#view;
    let at = start + 1;
    while (at < units.length && !this.#closes(at, start)) at += 1;
    return at;
  }

  #closes(at: number, opening: number): boolean {
    const { units } = this.#view;
    if (units.at(at) !== slash) return false;
    const next = units.at(at + 1);
    return next !== slash && !ofWords.has(next) && !isEscapedMore(this.#view, at, opening);
  }
}
