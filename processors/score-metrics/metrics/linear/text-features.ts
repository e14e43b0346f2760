import { Counts } from './counts.js';

/** How a text is turned into features; a model's weights only fit the shape that they were trained with. */
export interface FeatureShape {
  /** Runs of characters within a word and the spaces around it. */
  readonly characters: { readonly shortest: number; readonly longest: number };
  /** Neighbouring words. */
  readonly words: { readonly longest: number };
  /** Hash buckets of each of the two kinds. */
  readonly buckets: number;
}

/** The shape that all models of this project are trained with, so that a text's features serve all. */
export const trainedShape: FeatureShape = {
  characters: { shortest: 2, longest: 5 },
  words: { longest: 2 },
  buckets: 32_768,
};

/** A sparse vector: values of some of the `2 × buckets` features. The features of each kind have length 1. */
export interface SparseVector {
  readonly at: Uint32Array;
  readonly values: Float64Array;
}

/**
 * Hashed runs of characters and of words: they show what a word list shows, and also misspellings and
 * neighbouring words. Counts are damped by ln(1 + n), so that repetition does not dominate in a long text.
 */
export function textFeatures(text: string, shape: FeatureShape): SparseVector {
  const tokens = tokensOf(text);
  const characters = new Counts();
  countCharacterRuns(tokens, shape, characters);
  const words = new Counts();
  countWordRuns(tokens, shape, words);
  const at = new Uint32Array(characters.size + words.size);
  const values = new Float64Array(at.length);
  characters.writeUnit(at, values, 0, 0);
  words.writeUnit(at, values, characters.size, shape.buckets);
  return { at, values };
}

/** Zero-width spaces, soft hyphens and the like: readers don't see them, so no word may end at one. */
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;

/** Words in lower case, and the other runs of characters between them. None is over 40 characters long. */
function tokensOf(text: string): string[] {
  const found =
    text
      .replace(invisible, '')
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}']+|[^\s\p{L}\p{M}\p{N}']+/gu) ?? [];
  return found.map((token) => token.slice(0, 40));
}

function countCharacterRuns(
  tokens: readonly string[],
  { characters, buckets }: FeatureShape,
  counts: Counts,
): void {
  for (const token of tokens) {
    const padded = ` ${token} `;
    for (let start = 0; start < padded.length; start++) {
      let hash = basis;
      const end = Math.min(padded.length, start + characters.longest);
      for (let index = start; index < end; index++) {
        hash = mixed(hash, padded.charCodeAt(index));
        if (index - start + 1 >= characters.shortest) counts.add(bucketOf(hash, buckets));
      }
    }
  }
}

function countWordRuns(tokens: readonly string[], { words, buckets }: FeatureShape, counts: Counts): void {
  for (let start = 0; start < tokens.length; start++) {
    let hash = basis;
    const end = Math.min(tokens.length, start + words.longest);
    for (let index = start; index < end; index++) {
      const token = tokens[index] ?? '';
      for (let at = 0; at < token.length; at++) hash = mixed(hash, token.charCodeAt(at));
      hash = mixed(hash, 32);
      counts.add(bucketOf(hash, buckets));
    }
  }
}

/** FNV-1a, 32 bits, over UTF-16 code units. */
const basis = 0x811c9dc5;
const mixed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193) >>> 0;
const bucketOf = (hash: number, buckets: number): number => ((hash ^ (hash >>> 15)) >>> 0) % buckets;
