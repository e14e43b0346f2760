import { TelltaleError } from '../errors.js';
import type { Logger } from '../logging.js';
import type { Metrics } from '../metrics.js';
import { createAttempt, type Attempt, type AttemptResult } from './attempt.js';
import { admit, closedBreaker, settle, type AttemptVerdict, type BreakerState } from './circuit-breaker.js';
import { systemClock, type Clock } from './clock.js';
import { createConcurrencyLimit, QueueFull } from './concurrency-limit.js';
import type { LanguageModelConfig } from './config.js';
import { instrument, type Instruments } from './instruments.js';
import type { ChatMessage, Completion, CompletionOptions, LanguageModel } from './language-model.js';
import { pauseAfter } from './retry.js';

export interface LanguageModelDependencies {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * The lane of the calls. Each has its own concurrency limit, queue and breaker, so none waits for the
   * other.
   */
  readonly lane: string;
  readonly clock?: Clock;
  /** 0 ≤ x < 1. */
  readonly random?: () => number;
}

/**
 * The configured language model; undefined if there is none. Throws CONFIG_INVALID if its settings are
 * incomplete.
 */
export function createLanguageModel(
  config: LanguageModelConfig,
  { logger, metrics, lane, clock = systemClock, random = Math.random }: LanguageModelDependencies,
): LanguageModel | undefined {
  if (config.LLM_BASE_URL === '') return undefined;
  if (config.LLM_MODEL === '') {
    throw new TelltaleError('CONFIG_INVALID', {
      problems:
        '  LLM_MODEL: must be set if LLM_BASE_URL is: the name of the model, as the endpoint knows it',
    });
  }
  const attempt = createAttempt(
    {
      baseUrl: config.LLM_BASE_URL,
      apiKey: config.LLM_API_KEY,
      model: config.LLM_MODEL,
      dialect: config.LLM_DIALECT,
    },
    () => clock.now(),
  );
  return new RetryingLanguageModel(config, attempt, instrument(metrics, lane), logger, clock, random);
}

class RetryingLanguageModel implements LanguageModel {
  private readonly limit;
  private breaker: BreakerState = closedBreaker;

  constructor(
    private readonly config: LanguageModelConfig,
    private readonly attempt: Attempt,
    private readonly instruments: Instruments,
    private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {
    this.limit = createConcurrencyLimit(config.LLM_CONCURRENCY, config.LLM_QUEUE);
  }

  async complete(messages: readonly ChatMessage[], options: CompletionOptions): Promise<Completion> {
    const ending = new AbortController();
    const abandon = (): void => ending.abort(new TelltaleError('LLM_ABANDONED'));
    const expire = setTimeout(
      () => ending.abort(noAnswer(beforeTheDeadline, 'it was not its turn yet')),
      Math.max(0, Math.min(options.deadlineMs - this.clock.now(), 2 ** 31 - 1)),
    );
    if (options.signal?.aborted === true) abandon();
    options.signal?.addEventListener('abort', abandon, { once: true });
    try {
      const completion = await this.withinLimit({ messages, options, signal: ending.signal });
      this.instruments.calls.inc({ outcome: 'answered' });
      return completion;
    } catch (error) {
      this.instruments.calls.inc({ outcome: error instanceof TelltaleError ? error.code : 'unknown' });
      throw error;
    } finally {
      clearTimeout(expire);
      options.signal?.removeEventListener('abort', abandon);
    }
  }

  /** The permit is kept through the pauses: an endpoint that fails, or asks for patience, is called less. */
  private async withinLimit(call: Call): Promise<Completion> {
    this.refuseWhileOpen();
    const leave = await this.limit.acquire(call.signal).catch((error: unknown) => {
      throw error instanceof QueueFull ? new TelltaleError('LLM_BUSY', { waiting: error.waiting }) : error;
    });
    this.instruments.watch(this.limit);
    try {
      return await this.untilAnswered(call);
    } finally {
      leave();
      this.instruments.watch(this.limit);
    }
  }

  private async untilAnswered(call: Call): Promise<Completion> {
    const { signal } = call;
    let last = 'no attempt was made';
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted || this.clock.now() >= call.options.deadlineMs) throw this.endOf(signal, last);
      const admission = admit(this.breaker, this.clock.now());
      let pauseMs: number;
      if (admission.admitted) {
        this.breaker = admission.state;
        const result = await this.timed(call, admission.generation);
        if (result.outcome === 'answered') return result.completion;
        if (result.outcome === 'refused') throw new TelltaleError('LLM_REFUSED', { reason: result.reason });
        last = result.reason;
        // The pause that the endpoint asks for is the minimum; the jitter on top keeps callers from returning together.
        pauseMs =
          (result.retryAfterMs ?? 0) + this.pause(result.retryAfterMs === undefined ? attempt - 1 : 0);
      } else {
        pauseMs = admission.retryAtMs - this.clock.now();
        if (attempt === 1 || pauseMs > this.config.LLM_RETRY_CAP_MS) throw this.circuitOpen(admission);
        pauseMs += this.pause(0);
      }
      if (attempt >= this.config.LLM_ATTEMPTS) throw noAnswer(`in ${attempt} attempts`, last);
      // Waiting past the deadline is pointless: the caller gets the reason now.
      if (this.clock.now() + pauseMs >= call.options.deadlineMs) throw noAnswer(beforeTheDeadline, last);
      await this.clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  private async timed({ messages, options, signal }: Call, generation: number): Promise<AttemptResult> {
    const limited = new AbortController();
    const stop = (): void => limited.abort();
    const expire = setTimeout(stop, this.config.LLM_ATTEMPT_TIMEOUT_MS);
    signal.addEventListener('abort', stop, { once: true });
    const begun = performance.now();
    try {
      const ended = await this.attempt(messages, options, limited.signal);
      // A time-out or a deadline says something about the endpoint; a caller that leaves does not.
      const result =
        ended.outcome === 'abandoned' && !isAbandoned(signal)
          ? { ...ended, outcome: 'timed-out' as const }
          : ended;
      this.instruments.attempt(result, (performance.now() - begun) / 1_000);
      this.settle(generation, verdictOf(result));
      return result;
    } finally {
      clearTimeout(expire);
      signal.removeEventListener('abort', stop);
    }
  }

  private pause(attempt: number): number {
    const { LLM_RETRY_BASE_MS: baseMs, LLM_RETRY_CAP_MS: capMs } = this.config;
    return pauseAfter(attempt, { baseMs, capMs }, this.random());
  }

  private settle(generation: number, verdict: AttemptVerdict): void {
    const before = this.breaker.kind;
    const { LLM_BREAKER_FAILURES: failures, LLM_BREAKER_OPEN_MS: openMs } = this.config;
    const options = { failures, openMs, maxOpenMs: openMs * 12 };
    this.breaker = settle(this.breaker, generation, verdict, this.clock.now(), options);
    const after = this.breaker;
    if (after.kind === before) return;
    this.instruments.open.set(after.kind === 'closed' ? 0 : 1);
    if (after.kind === 'open') {
      this.logger.warn(
        { event: 'language-model-paused', cause: after.cause, openMs: after.openMs },
        'circuit breaker opened',
      );
    } else if (after.kind === 'closed')
      this.logger.info({ event: 'language-model-recovered' }, 'the language model answers again');
  }

  private refuseWhileOpen(): void {
    if (this.breaker.kind === 'closed') return;
    const admission = admit(this.breaker, this.clock.now());
    if (!admission.admitted) throw this.circuitOpen(admission);
  }

  private circuitOpen({ retryAtMs, cause }: { retryAtMs: number; cause: string }): TelltaleError {
    const seconds = Math.max(1, Math.ceil((retryAtMs - this.clock.now()) / 1_000));
    return new TelltaleError('LLM_CIRCUIT_OPEN', { reason: cause, seconds });
  }

  private endOf(signal: AbortSignal, last: string): Error {
    return isAbandoned(signal) ? (signal.reason as Error) : noAnswer(beforeTheDeadline, last);
  }
}

interface Call {
  readonly messages: readonly ChatMessage[];
  readonly options: CompletionOptions;
  /** Aborted at the deadline (LLM_NO_ANSWER), or when the caller leaves (LLM_ABANDONED). */
  readonly signal: AbortSignal;
}

const beforeTheDeadline = 'before the deadline';

function noAnswer(within: string, reason: string): TelltaleError {
  return new TelltaleError('LLM_NO_ANSWER', { within, reason });
}

function isAbandoned(signal: AbortSignal): boolean {
  return signal.reason instanceof TelltaleError && signal.reason.code === 'LLM_ABANDONED';
}

function verdictOf(result: AttemptResult): AttemptVerdict {
  switch (result.outcome) {
    case 'answered':
    case 'refused':
      return { kind: 'answered' };
    case 'rate-limited':
    case 'abandoned':
      return { kind: 'unknown' };
    default:
      return { kind: 'failed', cause: result.reason };
  }
}
