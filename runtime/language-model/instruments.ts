import type { Metrics } from '../metrics.js';
import type { AttemptResult } from './attempt.js';
import type { ConcurrencyLimit } from './concurrency-limit.js';

/** The metrics of a lane's language model. */
export interface Instruments {
  /** Calls by how they ended: `answered`, or the code of the error. */
  readonly calls: { inc(labels: { readonly outcome: string }): void };
  /** 1 while the breaker is open. */
  readonly open: { set(value: 0 | 1): void };
  attempt(result: AttemptResult, seconds: number): void;
  watch(limit: Pick<ConcurrencyLimit, 'running' | 'waiting'>): void;
}

export function instrument(metrics: Metrics, lane: string): Instruments {
  const calls = metrics.counter(
    'telltale_llm_calls_total',
    'Calls to the language model, by how they ended.',
    ['lane', 'outcome'],
  );
  const attempts = metrics.counter(
    'telltale_llm_attempts_total',
    'Requests to the language model, retries included, by how they ended.',
    ['lane', 'outcome'],
  );
  const seconds = metrics.histogram(
    'telltale_llm_attempt_seconds',
    'How long one request to the language model took.',
    ['lane', 'outcome'],
  );
  const tokens = metrics.counter('telltale_llm_tokens_total', 'Tokens that the language model reported.', [
    'lane',
    'kind',
  ]);
  const open = metrics.gauge(
    'telltale_llm_circuit_open',
    '1 while the circuit breaker of a failing language model is open.',
    ['lane'],
  );
  const running = metrics.gauge('telltale_llm_calls_running', 'Calls in progress.', ['lane']);
  const waiting = metrics.gauge('telltale_llm_calls_waiting', 'Calls waiting for their turn.', ['lane']);
  open.set({ lane }, 0);
  return {
    calls: { inc: ({ outcome }) => calls.inc({ lane, outcome }) },
    open: { set: (value) => open.set({ lane }, value) },
    attempt(result, took) {
      attempts.inc({ lane, outcome: result.outcome });
      seconds.observe({ lane, outcome: result.outcome }, took);
      if (result.outcome !== 'answered') return;
      tokens.inc({ lane, kind: 'prompt' }, result.tokens.prompt);
      tokens.inc({ lane, kind: 'completion' }, result.tokens.completion);
    },
    watch(limit) {
      running.set({ lane }, limit.running);
      waiting.set({ lane }, limit.waiting);
    },
  };
}
