import { readLexicon } from '../../lexicons/read-lexicon.js';

/**
 * Words and constants of VADER as in NLTK 3.8.1 (Hutto and Gilbert, ICWSM 2014). The word lists are data of that
 * publication; NOTICE names their licences.
 */

/** Mean human rating of a word or emoticon, -4..4; if a word is listed twice, the second counts. */
export const ratings: ReadonlyMap<string, number> = new Map(
  readLexicon('vader.txt').map((line) => {
    const [word = '', rating = ''] = line.split('\t');
    return [word, Number(rating)];
  }),
);

export const boost = 0.293;
export const capitals = 0.733;
export const negation = -0.74;

const raising =
  'absolutely amazingly awfully completely considerably decidedly deeply effing enormously entirely especially ' +
  'exceptionally extremely fabulously flipping flippin fricking frickin frigging friggin fully fucking greatly hella ' +
  'highly hugely incredibly intensely majorly more most particularly purely quite really remarkably so substantially ' +
  'thoroughly totally tremendously uber unbelievably unusually utterly very';

const lowering =
  'almost barely hardly kinda kindof kind-of less little marginally occasionally partly scarcely slightly somewhat ' +
  'sorta sortof sort-of';

/** What an adverb before a word adds to its rating. */
export const boosters: ReadonlyMap<string, number> = new Map([
  ...raising.split(' ').map((word) => [word, boost] as const),
  ...lowering.split(' ').map((word) => [word, -boost] as const),
]);

/** Pairs of words that together dampen the word after them. */
export const dampeningPairs: ReadonlySet<string> = new Set(['just enough', 'kind of', 'sort of']);

const negationsWithoutApostrophe =
  'aint arent cannot cant couldnt darent didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neither neednt never ' +
  'none nope nor not nothing nowhere oughtnt shant shouldnt uhuh uh-uh wasnt werent without wont wouldnt rarely seldom ' +
  'despite';

const negations: ReadonlySet<string> = new Set(negationsWithoutApostrophe.split(' '));

/** "n't" anywhere in a word negates too. */
export function isNegation(lowered: string): boolean {
  return negations.has(lowered) || lowered.includes("n't");
}

/** Phrases whose rating is not that of their words. */
export const idioms: ReadonlyMap<string, number> = new Map([
  ['the shit', 3],
  ['the bomb', 3],
  ['bad ass', 1.5],
  ['yeah right', -2],
  ['cut the mustard', 2],
  ['kiss of death', -1.5],
  ['hand to mouth', -2],
]);
