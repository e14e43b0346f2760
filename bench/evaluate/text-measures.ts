import { textMeasures } from '../../processors/score-metrics/metrics/text-measures.js';
import { AnalysedText } from '../../processors/score-metrics/metrics/text/analysed-text.js';
import {
  expectedOf,
  haveReferenceTexts,
  referenceRows,
  referenceSets,
} from '../../test/support/reference-texts.js';
import { notHere, type Evaluated, type Evaluation } from './evaluation.js';

const keysOfMetrics: Readonly<Record<string, (key: string) => boolean>> = {
  detected_sensitive_pattern: (key) => key === 'has_patterns',
  text_sentiment: (key) => key === 'sentiment_lexicon',
  text_metrics: (key) => key !== 'has_patterns' && key !== 'sentiment_lexicon',
};

/** How many of the reference's values of the text measures ours equal, to the last digit. */
export function evaluateTextMeasures(): Evaluated {
  if (!haveReferenceTexts()) return notHere('the reference texts');
  const compared = referenceSets.flatMap((set) => referenceRows(set).flatMap(comparedOf));
  return Object.entries(keysOfMetrics).map(([metric, isOfMetric]): Evaluation => {
    const values = compared.filter(({ key }) => isOfMetric(key));
    return {
      metric,
      set: `${values.length} values of the reference`,
      measure: 'equal',
      figure: values.filter(({ equal }) => equal).length / values.length,
      reference: 1,
      target: { atLeast: 1 },
    };
  });
}

function comparedOf(
  row: ReturnType<typeof referenceRows>[number],
): readonly { key: string; equal: boolean }[] {
  const { values } = textMeasures('prompt', new AnalysedText(row.text));
  return Object.entries(expectedOf(row)).map(([key, expected]) => ({
    key,
    equal: values[`prompt.${key}`] === expected,
  }));
}
