import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { metricsWith } from '../processors/score-metrics/metrics/registry.js';
import { standardSettings } from '../processors/score-metrics/metrics/settings.js';
import { AnalysedText } from '../processors/score-metrics/metrics/text/analysed-text.js';
import { matchedPattern } from '../processors/score-metrics/metrics/patterns/groups.js';
import { aggregateReadingLevel } from '../processors/score-metrics/metrics/readability/reading-level.js';
import { sentimentCompound } from '../processors/score-metrics/metrics/sentiment/compound.js';
import { characterCounts } from '../processors/score-metrics/metrics/text/counts.js';
import { referenceRows, referenceSets } from '../test/support/reference-texts.js';

/** The speed of the Python reference on the same texts, for the same values: texts per CPU-second. */
export const pythonReference = 1_147;

export interface ScorersFigure {
  readonly name: 'scorers';
  readonly texts: number;
  readonly meanCharacters: number;
  /** text_metrics, text_sentiment and detected_sensitive_pattern of each text, one thread: texts per CPU-second. */
  readonly textsPerCpuSecond: number;
  /** The same without the personal data in text_metrics, like the reference's light metrics. */
  readonly withoutPersonalData: number;
}

const asked = ['text_metrics', 'text_sentiment', 'detected_sensitive_pattern'];
const secondsEach = 3;

/** Runs over all texts until the time is up; each run analyses each text from scratch. */
function textsPerCpuSecond(texts: readonly string[], score: (text: string) => void): number {
  for (const text of texts) score(text);
  const before = process.cpuUsage();
  let scored = 0;
  for (let seconds = 0; seconds < secondsEach;) {
    texts.forEach(score);
    scored += texts.length;
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1e6;
  }
  const { user, system } = process.cpuUsage(before);
  return Math.round(scored / ((user + system) / 1e6));
}

export function measureScorers(): ScorersFigure {
  const texts = referenceSets.flatMap((set) => referenceRows(set).map(({ text }) => text));
  const metrics = metricsWith(standardSettings).filter(({ key }) => asked.includes(key));
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return {
    name: 'scorers',
    texts: texts.length,
    meanCharacters: Math.round(characters / texts.length),
    textsPerCpuSecond: textsPerCpuSecond(texts, (text) => {
      const prompt = new AnalysedText(text);
      for (const metric of metrics) metric.score({ prompt, response: null, combined: false });
    }),
    withoutPersonalData: textsPerCpuSecond(texts, (text) => {
      const prompt = new AnalysedText(text);
      for (const measure of [characterCounts, aggregateReadingLevel, sentimentCompound, matchedPattern]) {
        prompt.take<unknown>(measure);
      }
    }),
  };
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(measureScorers()));
}
