import { noEmbeddings } from '../reasons.js';
import type { Semantics } from '../semantics/semantics.js';
import { standardSettings, type ScoringSettings } from '../settings.js';
import { keepWordCharacters, neutraliseUnassigned, splitAtSpace } from './python-strings.js';

/** Something that depends on a text alone. */
export type Measure<Value> = (text: AnalysedText) => Value;

/** A text and the measures taken of it. Each measure is taken at most once. */
export class AnalysedText {
  /** The text to be measured; characters newer than Unicode 14 are neutral. */
  readonly text: string;
  private readonly values = new Map<Measure<unknown>, unknown>();

  constructor(
    readonly original: string,
    readonly settings: ScoringSettings = standardSettings,
    /** Its vectors, if they were requested beforehand: embedding takes time, and scoring does not wait. */
    readonly semantics: Semantics = { reason: noEmbeddings },
  ) {
    this.text = neutraliseUnassigned(original);
  }

  take<Value>(measure: Measure<Value>): Value {
    if (this.values.has(measure)) return this.values.get(measure) as Value;
    const value = measure(this);
    this.values.set(measure, value);
    return value;
  }

  /** The measure if it has been taken already. */
  taken<Value>(measure: Measure<Value>): Value | undefined {
    return this.values.get(measure) as Value | undefined;
  }
}

/** Lower-cased as a whole, because the form of a final sigma depends on what follows. */
export const lowered: Measure<string> = ({ text }) => text.toLowerCase();

/** The parts between white space, unchanged and in lower case; the two lists have the same indices. */
export const parts: Measure<readonly string[]> = ({ text }) => splitAtSpace(text);
const loweredParts: Measure<readonly string[]> = (text) => splitAtSpace(text.take(lowered));

/** The word of each part: its letters, digits and underscores in lower case; empty if it has none. */
export const words: Measure<readonly string[]> = (text) => text.take(loweredParts).map(keepWordCharacters);
