import { Unavailable, type Ask, type Message } from '../language-model/ask.js';
import { inParallel } from './in-parallel.js';
import { mean, meanOverSentences, passagesOf } from './passages.js';
import { sentencesOf } from './sentences.js';
import { readVerdict, verdictOptions } from './verdict.js';

export interface ConsistencyOptions {
  /** A longer response is split into this many passages of several sentences. */
  readonly maxPassages: number;
  /** How many questions of one request are asked at the same time. */
  readonly atOnce: number;
}

const asking = { temperature: 0, maxTokens: 32 };

/**
 * The model's verdict on each sentence of the response, compared with each sample: 0 (supported) to 1
 * (contradicted or not mentioned); the mean over samples, then over sentences. Rejects with Unavailable if a
 * verdict is missing: a mean over the rest would be a different measure.
 */
export async function consistencyScore(
  response: string,
  samples: readonly string[],
  ask: Ask,
  { maxPassages, atOnce }: ConsistencyOptions,
): Promise<number> {
  const passages = passagesOf(sentencesOf(response), maxPassages);
  const pairs = passages.flatMap(({ text }) => samples.map((sample) => ({ passage: text, sample })));
  const verdicts = await inParallel(pairs, atOnce, ({ passage, sample }) => evaluate(passage, sample, ask));
  const ofPassages = passages.map((_, at) =>
    mean(verdicts.slice(at * samples.length, (at + 1) * samples.length)),
  );
  return meanOverSentences(passages, ofPassages);
}

function question(passage: string, sample: string): readonly Message[] {
  return [
    {
      role: 'system',
      content: `You check passages against a context. You reply with one of these options and nothing else: ${verdictOptions}.`,
    },
    {
      role: 'user',
      content: `Context: ${sample}\n\nPassage: ${passage}\n\nDoes the context bear out the passage? Choose one: ${verdictOptions}.`,
    },
  ];
}

async function evaluate(passage: string, sample: string, ask: Ask): Promise<number> {
  const messages = question(passage, sample);
  const first = await ask(messages, asking);
  const verdict = readVerdict(first.text);
  if (verdict !== undefined) return verdict;
  const second = await ask([...messages, ...insistence(first.text)], asking);
  const insisted = readVerdict(second.text);
  if (insisted !== undefined) return insisted;
  throw new Unavailable('The language model gave no readable verdict, although it was asked twice.');
}

function insistence(reply: string): readonly Message[] {
  return [
    { role: 'assistant', content: reply },
    {
      role: 'user',
      content: `That is none of the options. Reply with one of them alone: ${verdictOptions}.`,
    },
  ];
}
