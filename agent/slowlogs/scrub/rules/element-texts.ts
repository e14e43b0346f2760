import type { Units } from '../units.js';
import { behindBlanks, isBlank } from './blanks.js';
import { endBefore } from './reading.js';
import { isAt } from './words-at.js';

const nowhere = -1;
const [less, greater] = [60, 62];
const [attributesAtMost, textAtMost, blanksAtMost] = [200, 4_096, 40];
const [sectionBegins, sectionEnds] = ['<![CDATA[', ']]>'];

/** Behind a tag whose name ends at a place, -1 where it does not end. */
export function tagEnd(units: Units, name: number): number {
  if (units.at(name) === greater) return name + 1;
  if (!isBlank(units.at(name))) return nowhere;
  const end = endBefore(units, name + 1, name + 1 + attributesAtMost, less, greater);
  return units.at(end) === greater ? end + 1 : nowhere;
}

/** Texts of elements, behind their tags. One may stand in a section: `<a><![CDATA[…]]></a>`. */
export class ElementTexts {
  readonly #units: Units;
  /** Where a section ends next: it is remembered, as all that begin before it ask. */
  #sectionEnd = -1;

  constructor(units: Units) {
    this.#units = units;
  }

  /** Where the text begins behind a tag. */
  startBehind(tag: number): number {
    const at = behindBlanks(this.#units, tag, blanksAtMost);
    return isAt(this.#units, at, sectionBegins) ? at + sectionBegins.length : tag;
  }

  isInSection(start: number): boolean {
    return isAt(this.#units, start - sectionBegins.length, sectionBegins);
  }

  /** Where a text ends that begins at a place: before the next tag, or with its section. */
  endFrom(start: number): number {
    const units = this.#units;
    if (!this.isInSection(start)) return endBefore(units, start, start + textAtMost, less);
    if (this.#sectionEnd < start) {
      const end = units.text.indexOf(sectionEnds, start);
      this.#sectionEnd = end === -1 ? units.length : end;
    }
    return Math.min(this.#sectionEnd, start + textAtMost);
  }
}
