import {
  attempted,
  Unavailable,
  withoutThoughts,
  type Ask,
  type Attempted,
  type Embed,
} from '../language-model/ask.js';
import { nothingFound, type Finding } from '../language-model/finding.js';
import { consistencyScore, type ConsistencyOptions } from './consistency.js';
import { sixDigits } from '../semantics/cosine.js';
import { inParallel } from './in-parallel.js';
import { semanticScore } from './semantic-score.js';
import { sentencesOf } from './sentences.js';

/** Changes whenever a score for the same replies may change. */
export const hallucinationVersion = 'selfcheck/4';

export const hallucinationKeys = [
  'samples',
  'response',
  'llm_score',
  'semantic_score',
  'final_score',
  'total_tokens',
] as const;

export interface HallucinationOptions extends ConsistencyOptions {
  /** How many other responses to the same prompt are sampled. */
  readonly samples: number;
}

const leastTokens = 1_024;
/**
 * Few texts have more than one token per two characters. A shorter sample can't support the whole response.
 */
const samplingFor = (response: string) => ({
  temperature: 1,
  maxTokens: Math.max(leastTokens, Math.ceil(response.length / 2)),
});

/**
 * How far a response departs from other responses of the language model to the same prompt: 0 is fully
 * consistent, 1 is not at all. `final_score` is the mean of `semantic_score` and `llm_score`, in 0..1. A
 * missing value is null with its reason; the other values stay.
 */
export async function hallucinationCheck(
  { prompt, response }: { readonly prompt: string; readonly response: string },
  { ask, embed }: { readonly ask: Ask; readonly embed: Embed },
  options: HallucinationOptions,
): Promise<Finding> {
  if (sentencesOf(response).length === 0) return nothingFound(hallucinationKeys, 'The response is blank.');
  const counted = countTokens(ask);
  const sampled = await attempted(sampleResponses({ prompt, response }, counted.ask, options));
  const [llm, semantic] = sampled.ok
    ? await Promise.all([
        attempted(consistencyScore(response, sampled.value, counted.ask, options)),
        attempted(semanticScore(response, sampled.value, embed)),
      ])
    : [sampled, sampled];
  return report({
    samples: sampled,
    response: { ok: true, value: response },
    llm_score: llm,
    semantic_score: semantic,
    final_score: meanOf(llm, semantic),
    total_tokens: sampled.ok || counted.total().ok ? counted.total() : sampled,
  });
}

async function sampleResponses(
  { prompt, response }: { readonly prompt: string; readonly response: string },
  ask: Ask,
  { samples, atOnce }: HallucinationOptions,
): Promise<readonly string[]> {
  return await inParallel(Array.from({ length: samples }), Math.max(samples, atOnce), async () => {
    const { text } = await ask([{ role: 'user', content: prompt }], samplingFor(response));
    const sample = withoutThoughts(text).trim();
    if (sample === '') throw new Unavailable('A response sampled for comparison is empty.');
    return sample;
  });
}

function meanOf(llm: Attempted<number>, semantic: Attempted<number>): Attempted<number> {
  if (!llm.ok) return llm;
  if (!semantic.ok) return semantic;
  return { ok: true, value: Math.min(1, Math.max(0, sixDigits((llm.value + semantic.value) / 2))) };
}

/** Adds up the tokens of the model's replies as it reports them, including replies that could not be read. */
function countTokens(ask: Ask): { readonly ask: Ask; total(): Attempted<number> } {
  let total: number | undefined;
  return {
    async ask(messages, options) {
      const reply = await ask(messages, options);
      if (reply.totalTokens !== null) total = (total ?? 0) + reply.totalTokens;
      return reply;
    },
    total: () =>
      total === undefined
        ? { ok: false, reason: 'The language model reported no token usage.' }
        : { ok: true, value: total },
  };
}

type Found = Readonly<
  Record<(typeof hallucinationKeys)[number], Attempted<string | number | readonly string[]>>
>;

function report(found: Found): Finding {
  const values: Record<string, string | number | null | readonly string[]> = {};
  const missing: Record<string, string> = {};
  for (const key of hallucinationKeys) {
    const value = found[key];
    values[key] = value.ok ? value.value : null;
    if (!value.ok) missing[key] = value.reason;
  }
  return { values, missing };
}
