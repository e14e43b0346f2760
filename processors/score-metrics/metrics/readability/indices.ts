import type { Measure } from '../text/analysed-text.js';
import { characterCounts, type CharacterCounts } from '../text/counts.js';
import { difficultWords, type DifficultWords } from '../text/difficult-words.js';
import { sentenceCounts, type SentenceCounts } from '../text/sentences.js';
import { wordCounts, type WordCounts } from '../text/words.js';
import { roundAway } from './rounding.js';

/**
 * Readability indices of English. Every rounding between the steps is the reference's (textstat 0.7.3 with syllapy's
 * syllables). The order of operations is the same too, because it affects floating-point results.
 */
export interface ReadabilityIndices {
  readonly fleschReadingEase: number;
  readonly fleschKincaidGrade: number;
  readonly smogIndex: number;
  readonly colemanLiauIndex: number;
  readonly automatedReadabilityIndex: number;
  readonly daleChallReadabilityScore: number;
  readonly linsearWriteFormula: number;
  readonly gunningFog: number;
}

interface Counted extends CharacterCounts, WordCounts {
  readonly sentences: SentenceCounts;
  readonly difficult: DifficultWords;
  /** Words per sentence, one decimal. */
  readonly sentenceLength: number;
  /** Syllables per word, one decimal. */
  readonly wordLength: number;
}

export const readabilityIndices: Measure<ReadabilityIndices> = (text) => {
  const characters = text.take(characterCounts);
  const words = text.take(wordCounts);
  const sentences = text.take(sentenceCounts);
  const counted: Counted = {
    characters: characters.characters,
    letters: characters.letters,
    words: words.words,
    syllables: words.syllables,
    monosyllables: words.monosyllables,
    polysyllables: words.polysyllables,
    firstParts: words.firstParts,
    firstPolysyllables: words.firstPolysyllables,
    sentences,
    difficult: text.take(difficultWords),
    sentenceLength: roundAway(words.words / sentences.whole, 1),
    wordLength: perWord(words.syllables, words.words, 1),
  };
  return {
    fleschReadingEase: fleschReadingEase(counted),
    fleschKincaidGrade: fleschKincaidGrade(counted),
    smogIndex: smogIndex(counted),
    colemanLiauIndex: colemanLiauIndex(counted),
    automatedReadabilityIndex: automatedReadabilityIndex(counted),
    daleChallReadabilityScore: daleChallReadabilityScore(counted),
    linsearWriteFormula: linsearWriteFormula(counted),
    gunningFog: gunningFog(counted),
  };
};

function perWord(count: number, words: number, decimals: 1 | 2): number {
  return words === 0 ? 0 : roundAway(count / words, decimals);
}

/** Flesch 1948. 206.84 for a text without words. */
function fleschReadingEase({ sentenceLength, wordLength }: Counted): number {
  return roundAway(206.835 - 1.015 * sentenceLength - 84.6 * wordLength, 2);
}

/** Kincaid et al. 1975: a US school grade. */
function fleschKincaidGrade({ sentenceLength, wordLength }: Counted): number {
  return roundAway(0.39 * sentenceLength + 11.8 * wordLength - 15.59, 1);
}

/** McLaughlin 1969; undefined below three sentences, for which it is 0. */
function smogIndex({ polysyllables, sentences }: Counted): number {
  if (sentences.whole < 3) return 0;
  return roundAway(1.043 * Math.sqrt(30 * (polysyllables / sentences.whole)) + 3.1291, 1);
}

/** Coleman and Liau 1975: letters and sentences per hundred words. */
function colemanLiauIndex({ letters, sentences, words }: Counted): number {
  const lettersPerHundred = roundAway(perWord(letters, words, 2) * 100, 2);
  const sentencesPerHundred = roundAway(perWord(sentences.whole, words, 2) * 100, 2);
  return roundAway(0.058 * lettersPerHundred - 0.296 * sentencesPerHundred - 15.8, 2);
}

/** Smith and Senter 1967. */
function automatedReadabilityIndex({ characters, sentences, words }: Counted): number {
  if (words === 0) return 0;
  const charactersPerWord = roundAway(characters / words, 2);
  const wordsPerSentence = roundAway(words / sentences.whole, 2);
  return roundAway(4.71 * charactersPerWord + 0.5 * wordsPerSentence - 21.43, 1);
}

/**
 * Dale and Chall 1948; inflected forms are difficult. Each different word counts once: it can be negative.
 */
function daleChallReadabilityScore({ words, difficult, sentenceLength }: Counted): number {
  if (words === 0) return 0;
  const percentEasy = ((words - difficult.any) / words) * 100;
  const percentDifficult = 100 - percentEasy;
  const score = 0.1579 * percentDifficult + 0.0496 * sentenceLength;
  return roundAway(percentDifficult > 5 ? score + 3.6365 : score, 2);
}

/** O'Hayre 1966, over the first hundred words. */
function linsearWriteFormula({ firstParts, firstPolysyllables, sentences }: Counted): number {
  const easy = firstParts - firstPolysyllables;
  const perSentence = (easy + firstPolysyllables * 3) / sentences.firstHundredParts;
  return (perSentence <= 20 ? perSentence - 2 : perSentence) / 2;
}

/** Gunning 1952. */
function gunningFog({ words, difficult, sentenceLength }: Counted): number {
  if (words === 0) return 0;
  return roundAway(0.4 * (sentenceLength + (difficult.ofThreeSyllables / words) * 100), 2);
}
