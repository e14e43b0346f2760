/** The entities this scorer knows: those of the reference, and e-mail addresses. */
export const piiEntities = [
  'CREDIT_CARD',
  'CRYPTO',
  'EMAIL_ADDRESS',
  'IBAN_CODE',
  'IP_ADDRESS',
  'PHONE_NUMBER',
  'MEDICAL_LICENSE',
  'URL',
  'US_BANK_NUMBER',
  'US_DRIVER_LICENSE',
  'US_ITIN',
  'US_PASSPORT',
  'US_SSN',
] as const;

export type PiiEntity = (typeof piiEntities)[number];

/** A recognised part of a text. Offsets count UTF-16 units, `end` is exclusive, `score` is in 0..1. */
export interface PiiSpan {
  readonly type: PiiEntity;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** What one pass over a text finds about it, so that recognizers skip texts where they can find nothing. */
export interface TextShape {
  readonly digits: number;
  /** The longest run of letters and digits. */
  readonly longestToken: number;
  readonly dots: number;
  readonly colons: number;
  readonly ats: number;
  readonly isAscii: boolean;
}

/**
 * Words that make a span more or less likely to be the entity. An entry is a whole word in lower case; with a
 * trailing `*` it is a prefix.
 */
export interface ContextWords {
  /** The nearest of these before the span, or a label of these after it, raises the score. */
  readonly supports: readonly string[];
  /** Raise the score if they are next to the span, as a label is: `Desk: …`, `…-Office`. */
  readonly labels?: readonly string[];
  /** Also raise the score, unless a word of `opposes` is anywhere in the window. */
  readonly hints?: readonly string[];
  /** If one is nearer than all of `supports`, the number means something else: no raise. */
  readonly opposes?: readonly string[];
  /** Subtracted from the score when `opposes` wins. */
  readonly penalty?: number;
  /** When these words are not enough: without it, any number near an everyday word would be accepted. */
  readonly demands?: Demand;
}

interface Demand {
  /** Whether the span as written can be the entity. Called only if words raise its score: it may be slow. */
  readonly isFit: (written: string) => boolean;
  /** The words that name the entity, and so raise the score of every other span too. */
  readonly naming: Pick<ContextWords, 'supports' | 'labels'>;
}

/** Finds one entity. Pure, linear in the length of the text, and never throws. */
export interface Recognizer {
  readonly entity: PiiEntity;
  readonly context: ContextWords;
  readonly mayOccurIn: (shape: TextShape) => boolean;
  readonly find: (text: string) => readonly PiiSpan[];
}
