import type { MetricKey } from './metrics.js';

/**
 * One metric in a result. `created_at` is ISO 8601 in UTC with microseconds and `Z`. `unavailable` is present
 * if at least one value is null because it could not be computed, and says why.
 */
export interface MetricObject {
  readonly created_at: string;
  readonly unavailable?: string;
  readonly [field: string]: string | number | null | readonly string[] | undefined;
}

/** The answer to a real-time call, and the `result` of a processed task. */
export interface ScoringOutcome {
  readonly id: string;
  readonly prompt: string;
  readonly response: string | null;
  readonly metrics: Readonly<Partial<Record<MetricKey, MetricObject>>>;
}

/** A task only moves forward in this order. */
export const taskStates = ['queued', 'processing', 'processed', 'failed'] as const;
export type TaskState = (typeof taskStates)[number];
