import { contextRule, inContext } from '../../../../../../../processors/score-metrics/metrics/pii/context.js';
import type { Recognizer } from '../../../../../../../processors/score-metrics/metrics/pii/entities.js';

/** What a recognizer finds in a text, context counted: each span's characters and score. */
export function found(recognizer: Recognizer, text: string): [string, number][] {
  const rule = contextRule(recognizer.context);
  return recognizer.find(text).map((candidate) => {
    const { start, end, score } = inContext(text, candidate, rule);
    return [text.slice(start, end), score];
  });
}
