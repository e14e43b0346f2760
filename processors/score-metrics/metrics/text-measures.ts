import { available, type MetricScore, type MetricValues } from '../metric.js';
import { matchedPattern } from './patterns/groups.js';
import { piiScorer, type PiiScore } from './pii/score-pii.js';
import { readabilityIndices } from './readability/indices.js';
import { aggregateReadingLevel } from './readability/reading-level.js';
import { sentimentCompound } from './sentiment/compound.js';
import type { AnalysedText, Measure } from './text/analysed-text.js';
import { characterCounts } from './text/counts.js';
import { difficultWords } from './text/difficult-words.js';
import { sentenceCounts } from './text/sentences.js';
import { wordCounts } from './text/words.js';

export type TextRole = 'prompt' | 'response';

/** The measures of a text that several metrics carry, their keys prefixed with the text's role. */
export const textMeasures = (role: TextRole, text: AnalysedText): MetricScore =>
  text.take(role === 'prompt' ? promptMeasures : responseMeasures);

const promptMeasures: Measure<MetricScore> = (text) => measuresOf('prompt', text);
const responseMeasures: Measure<MetricScore> = (text) => measuresOf('response', text);

function measuresOf(role: TextRole, text: AnalysedText): MetricScore {
  const words = text.take(wordCounts);
  const characters = text.take(characterCounts);
  const indices = text.take(readabilityIndices);
  return available({
    [`${role}.has_patterns`]: text.take(matchedPattern),
    [`${role}.letter_count`]: characters.letters,
    [`${role}.lexicon_count`]: words.words,
    [`${role}.sentence_count`]: text.take(sentenceCounts).whole,
    [`${role}.syllable_count`]: words.syllables,
    [`${role}.character_count`]: characters.characters,
    [`${role}.difficult_words`]: text.take(difficultWords).ofTwoSyllables,
    [`${role}.monosyllable_count`]: words.monosyllables,
    [`${role}.polysyllable_count`]: words.polysyllables,
    [`${role}.sentiment_lexicon`]: text.take(sentimentCompound),
    [`${role}.flesch_reading_ease`]: indices.fleschReadingEase,
    [`${role}.automated_readability_index`]: indices.automatedReadabilityIndex,
    [`${role}.aggregate_reading_level`]: text.take(aggregateReadingLevel),
    [`${role}.flesch_kincaid_grade`]: indices.fleschKincaidGrade,
    [`${role}.smog_index`]: indices.smogIndex,
    [`${role}.gunning_fog`]: indices.gunningFog,
    [`${role}.coleman_liau_index`]: indices.colemanLiauIndex,
    [`${role}.dale_chall_readability_score`]: indices.daleChallReadabilityScore,
    [`${role}.linsear_write_formula`]: indices.linsearWriteFormula,
    ...piiValues(role, text),
  });
}

/** From the text as it was sent, because its offsets must fit the sender's copy. */
const personalData: Measure<PiiScore> = ({ original, settings }) => piiScorer(settings.pii)(original);

/** The personal data in a text, under the two keys that the API's document gives it. */
export function piiValues(role: TextRole, text: AnalysedText): MetricValues {
  const { result, entitiesCount } = text.take(personalData);
  return { [`${role}.pii_engine.result`]: result, [`${role}.pii_engine.entities_count`]: entitiesCount };
}
