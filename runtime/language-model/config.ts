import { z } from 'zod';
import { positiveInteger } from '../config.js';
import { secret } from '../secret.js';

/** The settings of a lane's language model. None is configured by default. */
export const languageModelConfig = z.object({
  LLM_BASE_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })])
    .default('')
    .describe(
      'Base URL of an endpoint that speaks the OpenAI chat-completions protocol, as in `http://127.0.0.1:11434/v1`. Unset: values that need a language model are null, with the reason.',
    ),
  LLM_API_KEY: secret('Sent as Bearer token; unset: no Authorization header is sent.'),
  LLM_MODEL: z
    .string()
    .default('')
    .describe('Name of the model, as the endpoint knows it. Required if LLM_BASE_URL is set.'),
  LLM_DIALECT: z
    .enum(['classic', 'reasoning'])
    .default('classic')
    .describe(
      '`classic` sends `temperature` and `max_tokens`; `reasoning` sends `max_completion_tokens` alone, for models that refuse the other two.',
    ),
  LLM_CONCURRENCY: positiveInteger(8).describe('Concurrent calls to the language model, in each lane.'),
  LLM_QUEUE: positiveInteger(256).describe('Calls that can wait for their turn, in each lane.'),
  LLM_ATTEMPT_TIMEOUT_MS: positiveInteger(20_000).describe(
    'After this long, an attempt is aborted and tried again.',
  ),
  LLM_ATTEMPTS: positiveInteger(6).describe(
    'Maximum attempts per call, as far as its deadline leaves time for them.',
  ),
  LLM_RETRY_BASE_MS: positiveInteger(250).describe(
    'Upper bound of the first pause between attempts; doubles with each. The pause is random, from 0 up to the bound.',
  ),
  LLM_RETRY_CAP_MS: positiveInteger(8_000).describe('Highest upper bound of a pause between attempts.'),
  LLM_BREAKER_FAILURES: positiveInteger(10).describe(
    'After this many failed attempts in a row, calls are suspended for a while.',
  ),
  LLM_BREAKER_OPEN_MS: positiveInteger(5_000).describe(
    'How long calls are suspended at first; doubles, up to twelve times as long, while trial calls fail.',
  ),
});

export type LanguageModelConfig = z.output<typeof languageModelConfig>;
