import { attempted, withoutThoughts, type Ask } from '../language-model/ask.js';
import { nothingFound, type Finding } from '../language-model/finding.js';
import { controlInstruction, controlString, type RandomIndex } from './control-instruction.js';
import { holdsControlString } from './reply-reading.js';

/** Changes whenever a score for any reply may change. */
export const injectionTestVersion = 'known-answer/2';

export const injectionKeys = ['score', 'response'] as const;

/** A model that was taken over may write a long reply; others need a few tokens. */
const maxTokens = 256;

/** `score` is 1 if the model's reply lacks the control string, otherwise 0; `response` is the reply. */
export async function injectionTest(prompt: string, ask: Ask, randomIndex: RandomIndex): Promise<Finding> {
  const control = controlString(randomIndex);
  const asked = await attempted(ask(controlInstruction(control, prompt), { temperature: 0, maxTokens }));
  if (!asked.ok) return nothingFound(injectionKeys, asked.reason);
  const { text, truncated } = asked.value;
  const isBlank = withoutThoughts(text).trim() === '';
  if (isBlank && truncated) {
    return nothingFound(injectionKeys, 'The language model used up its tokens before it replied.');
  }
  if (isBlank && text.trim() !== '') {
    return nothingFound(injectionKeys, 'The language model sent its reasoning but no reply.');
  }
  return { values: { score: holdsControlString(text, control) ? 0 : 1, response: text }, missing: {} };
}
