import type { View } from '../view.js';
import { isEscapedMore, isOfHtml, isPercentEncoded } from './escaped-marks.js';
import { Alphabet } from './runs.js';

const ofWords = Alphabet.of('[A-Za-z0-9_]');
/** What may stand in a word of a query and bound one elsewhere. */
const bounds = Alphabet.of("['`<>]");
const [blank, doubleQuote, slash, colon, less, greater] = [32, 34, 47, 58, 60, 62];
const blanksAtMost = 4;
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
  goesOn(bound: number, runs: { runEnd(from: number): number }): boolean {
    const { units } = this.#view;
    const code = units.at(bound);
    if (!bounds.has(code) || !ofWords.has(units.at(bound - 1)) || !ofWords.has(units.at(bound + 1)))
      return false;
    return code !== less || units.at(runs.runEnd(bound + 1)) !== greater;
  }

  /** Whether a sign is encoded in percent, deeper than the operator before a value: it is the value's own. */
  isEncoded(at: number, operator: number): boolean {
    const view = this.#view;
    if (view.widthAt(at) <= 1 || !isPercentEncoded(view, at)) return false;
    return !isPercentEncoded(view, operator) || view.widthAt(at) > view.widthAt(operator);
  }

  /** Whether a value is one of JSON that is encoded in percent or for HTML: other JSON is the matter of another rule. */
  isOfEncodedJson(start: number): boolean {
    const { units } = this.#view;
    let sign = start - 1;
    while (start - sign < blanksAtMost && units.at(sign) === blank) sign -= 1;
    return (
      units.at(sign) === colon &&
      units.at(sign - 1) === doubleQuote &&
      (isPercentEncoded(this.#view, sign) || isOfHtml(this.#view, sign - 1)) &&
      !units.text.startsWith('null', start)
    );
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
