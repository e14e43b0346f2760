/**
 * A circuit breaker as a pure state machine. Closed → open after `failures` failed attempts in a row. Open → half-open
 * when its time has passed. Half-open admits one trial: its success closes the breaker, its failure opens it again for
 * twice as long. Time is passed in; nothing here waits.
 */
export interface BreakerOptions {
  readonly failures: number;
  readonly openMs: number;
  readonly maxOpenMs: number;
}

export type BreakerState =
  | { readonly kind: 'closed'; readonly generation: number; readonly failures: number }
  | ({ readonly kind: 'open' } & Tripped)
  | ({ readonly kind: 'half-open' } & Tripped);

interface Tripped {
  readonly generation: number;
  /** When the next trial is admitted. */
  readonly untilMs: number;
  readonly openMs: number;
  readonly cause: string;
}

/**
 * The verdict of an attempt. `answered`: the endpoint is alive, whatever it said; `unknown`: nobody waited for the end.
 * A 429 is `unknown` too: an endpoint that asks callers to wait is neither broken nor proven healthy.
 */
export type AttemptVerdict =
  | { readonly kind: 'answered' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly cause: string };

export type Admission =
  /**
   * `generation` is passed back with the verdict: an attempt that started before the last change of state
   * says nothing about the current one.
   */
  | { readonly admitted: true; readonly state: BreakerState; readonly generation: number }
  | { readonly admitted: false; readonly retryAtMs: number; readonly cause: string };

export const closedBreaker: BreakerState = { kind: 'closed', generation: 0, failures: 0 };

export function admit(state: BreakerState, nowMs: number): Admission {
  if (state.kind === 'closed') return { admitted: true, state, generation: state.generation };
  if (nowMs < state.untilMs) return { admitted: false, retryAtMs: state.untilMs, cause: state.cause };
  // Admits one more: the breaker is open and its time has passed, or its trial has not returned for as long.
  const trial: BreakerState = { ...state, kind: 'half-open', untilMs: nowMs + state.openMs };
  return { admitted: true, state: trial, generation: state.generation };
}

export function settle(
  state: BreakerState,
  generation: number,
  verdict: AttemptVerdict,
  nowMs: number,
  options: BreakerOptions,
): BreakerState {
  if (generation !== state.generation || state.kind === 'open') return state;
  if (verdict.kind === 'unknown') {
    // A trial without a verdict: the next one is admitted at once.
    return state.kind === 'half-open' ? { ...state, untilMs: nowMs } : state;
  }
  if (verdict.kind === 'answered') return { kind: 'closed', generation: state.generation, failures: 0 };
  if (state.kind === 'half-open') {
    return opened(state.generation, nowMs, Math.min(state.openMs * 2, options.maxOpenMs), verdict.cause);
  }
  const failures = state.failures + 1;
  return failures < options.failures
    ? { ...state, failures }
    : opened(state.generation, nowMs, options.openMs, verdict.cause);
}

function opened(generation: number, nowMs: number, openMs: number, cause: string): BreakerState {
  return { kind: 'open', generation: generation + 1, untilMs: nowMs + openMs, openMs, cause };
}
