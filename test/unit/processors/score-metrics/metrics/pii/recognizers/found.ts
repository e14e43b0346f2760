import { contextRule, inContext } from '../../../../../../../processors/score-metrics/metrics/pii/context.js';
import type { Recognizer } from '../../../../../../../processors/score-metrics/metrics/pii/entities.js';

/** The characters and score of each span that a recognizer finds in a text, with context. */
export function found(recognizer: Recognizer, text: string): [string, number][] {
  const rule = contextRule(recognizer.context);
  return recognizer.find(text).map((candidate) => {
    const { start, end, score } = inContext(text, candidate, rule);
    return [text.slice(start, end), score];
  });
}
