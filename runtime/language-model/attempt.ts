import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { z } from 'zod';
import { untilAborted } from '../backoff.js';
import { retryAfterMs } from './retry.js';
import type { ChatMessage, Completion, CompletionOptions } from './language-model.js';

export interface EndpointOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly dialect: 'classic' | 'reasoning';
}

/** How one attempt ended; also the labels of a metric. */
type AttemptOutcome =
  'answered' | 'rate-limited' | 'server-error' | 'timed-out' | 'cut' | 'garbage' | 'refused' | 'abandoned';

interface TokenUse {
  readonly prompt: number;
  readonly completion: number;
}

export type AttemptResult =
  | { readonly outcome: 'answered'; readonly completion: Completion; readonly tokens: TokenUse }
  | {
      readonly outcome: Exclude<AttemptOutcome, 'answered'>;
      /** For people; contains no key. */
      readonly reason: string;
      /** The pause that the endpoint asked for. */
      readonly retryAfterMs?: number | undefined;
    };

/** One request to the endpoint, without any retry. Never rejects; ends when the signal aborts, whatever the endpoint does. */
export type Attempt = (
  messages: readonly ChatMessage[],
  options: Pick<CompletionOptions, 'temperature' | 'maxTokens'>,
  signal: AbortSignal,
) => Promise<AttemptResult>;

const count = z.number().int().nonnegative().catch(0);

/** The part of an answer that is used; endpoints differ in the rest. */
const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: z.number().int().nonnegative().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

const garbage = (what: string): AttemptResult => ({ outcome: 'garbage', reason: what });

/** Reads the body of a 200, even if the endpoint forgot the content type. */
function readAnswer(body: unknown): AttemptResult {
  let value = body;
  if (typeof body === 'string') {
    try {
      value = JSON.parse(body);
    } catch {
      return garbage('its answer is not JSON');
    }
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return garbage('its answer is not a chat completion');
  const [choice] = parsed.data.choices;
  const text = choice?.message.content ?? choice?.message.refusal ?? '';
  const finish = choice?.finish_reason;
  if (text === '' && (finish === 'content_filter' || finish === 'length')) {
    return { outcome: 'refused', reason: `an empty reply, finished by ${finish}` };
  }
  const usage = parsed.data.usage;
  return {
    outcome: 'answered',
    completion: { text, truncated: finish === 'length', totalTokens: usage?.total_tokens ?? null },
    tokens: { prompt: usage?.prompt_tokens ?? 0, completion: usage?.completion_tokens ?? 0 },
  };
}

/** Classifies the client's error. The endpoint's message is quoted, shortened, unless it is about the key. */
function failureOf(thrown: unknown, apiKey: string, nowMs: number): AttemptResult {
  if (thrown instanceof APIConnectionTimeoutError)
    return { outcome: 'timed-out', reason: 'no answer in time' };
  if (thrown instanceof APIConnectionError) {
    return { outcome: 'cut', reason: `connection failed${causeCode(thrown)}` };
  }
  if (thrown instanceof APIError) {
    const { status } = thrown as APIError;
    if (status !== undefined) return failureOfStatus(thrown as APIError, status, apiKey, nowMs);
  }
  if (thrown instanceof SyntaxError) return garbage('its answer is not JSON');
  return { outcome: 'cut', reason: `the answer broke off${causeCode(thrown)}` };
}

function failureOfStatus(error: APIError, status: number, apiKey: string, nowMs: number): AttemptResult {
  const retryAfter = retryAfterMs(error.headers?.get('retry-after'), nowMs);
  const asked = retryAfter === undefined ? '' : `, asking to wait ${Math.ceil(retryAfter / 1_000)} s`;
  const later = { reason: `status ${status}${asked}`, retryAfterMs: retryAfter };
  if (status === 429) return { outcome: 'rate-limited', ...later };
  if (status === 408) return { outcome: 'timed-out', ...later };
  if (status >= 500) return { outcome: 'server-error', ...later };
  if (status === 401 || status === 403) {
    return {
      outcome: 'refused',
      reason: `status ${status}: LLM_API_KEY is missing, wrong, or may not use LLM_MODEL`,
    };
  }
  return { outcome: 'refused', reason: `status ${status}${quoteOf(error, apiKey)}` };
}

function quoteOf(error: APIError, apiKey: string): string {
  const body = error.error as { message?: unknown } | undefined;
  if (typeof body?.message !== 'string' || body.message === '') return '';
  const clear = apiKey === '' ? body.message : body.message.replaceAll(apiKey, '[redacted]');
  return `: ${clear.slice(0, 200)}`;
}

function causeCode(thrown: unknown): string {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return ` (${at.code})`;
  }
  return '';
}

/** Reasoning models spend the same budget on thinking, before the first word of the reply. */
const roomToThink = 8_192;

/** Endpoints refuse invalid Unicode: lone halves of surrogate pairs become U+FFFD. */
function wellFormed({ role, content }: ChatMessage): ChatMessage {
  return { role, content: content.replace(/\p{Surrogate}/gu, '\uFFFD') };
}

/** Attempts by the official client, with its own retries, logs and environment variables switched off. */
export function createAttempt(endpoint: EndpointOptions, now: () => number): Attempt {
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    // The client insists on a key. If there is none, the header is removed below.
    apiKey: endpoint.apiKey === '' ? 'none' : endpoint.apiKey,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    ...(endpoint.apiKey === '' ? { defaultHeaders: { Authorization: null } } : {}),
  });

  return async (messages, { temperature, maxTokens }, signal) => {
    const limits =
      endpoint.dialect === 'classic'
        ? { temperature, max_tokens: maxTokens }
        : { max_completion_tokens: maxTokens + roomToThink };
    // The client's own time-out covers only the headers; the signal stops a body that never ends.
    const request = client.chat.completions
      .create({ model: endpoint.model, messages: messages.map(wellFormed), ...limits }, { signal })
      .then(readAnswer, (thrown: unknown) => failureOf(thrown, endpoint.apiKey, now()));
    // The signal takes precedence over the client's error: the client may notice late, or call an abort a broken connection.
    return untilAborted(request, signal, () => ({ outcome: 'abandoned', reason: 'no answer in time' }));
  };
}
