import { z } from 'zod';
import { positiveInteger } from '../config.js';
import { secret } from '../secret.js';

/** The settings of a lane's language model. None is configured by default. */
export const languageModelConfig = z.object({
  LLM_BASE_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })])
    .default('')
    .describe(
      'Base URL of an endpoint that speaks the OpenAI chat-completions protocol, as in `http://127.0.0.1:11434/v1`. Unset: what needs a language model is null and says so.',
    ),
  LLM_API_KEY: secret('Sent as Bearer token; unset: no Authorization header is sent.'),
  LLM_MODEL: z
    .string()
    .default('')
    .describe('Name of the model, as the endpoint knows it. Required where LLM_BASE_URL is set.'),
  LLM_DIALECT: z
    .enum(['classic', 'reasoning'])
    .default('classic')
    .describe(
      '`classic` sends `temperature` and `max_tokens`; `reasoning` sends `max_completion_tokens` alone, for models that refuse the other two.',
    ),
  LLM_CONCURRENCY: positiveInteger(8).describe('Calls to the language model at the same time, in each lane.'),
  LLM_QUEUE: positiveInteger(256).describe('Calls that may wait for their turn, in each lane.'),
  LLM_ATTEMPT_TIMEOUT_MS: positiveInteger(20_000).describe(
    'After so long one attempt is given up and tried again.',
  ),
  LLM_ATTEMPTS: positiveInteger(6).describe(
    'Attempts of one call, where its deadline leaves time for so many.',
  ),
  LLM_RETRY_BASE_MS: positiveInteger(250).describe(
    'Bound of the first pause between attempts; doubles with each, and the pause is drawn from 0 up to it.',
  ),
  LLM_RETRY_CAP_MS: positiveInteger(8_000).describe('Largest bound of a pause between attempts.'),
  LLM_BREAKER_FAILURES: positiveInteger(10).describe(
    'After so many failed attempts in a row no call is made for a while.',
  ),
  LLM_BREAKER_OPEN_MS: positiveInteger(5_000).describe(
    'How long that while is at first; doubles, up to twelve times as long, while trial calls fail.',
  ),
});

export type LanguageModelConfig = z.output<typeof languageModelConfig>;
