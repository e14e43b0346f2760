import type { Score } from '../../schemas/scores.js';
import type { Page } from '../clusters/page.js';

/** Microseconds since 1970: `from` is included, `to` is not. */
export interface BoundedRange {
  readonly from: number;
  readonly to: number;
}

/** The position after one result. */
export interface AfterResult {
  /** When it was accepted, microseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

export interface ResultFilter {
  readonly metric?: string;
  /** Text that the prompt must contain, regardless of case. */
  readonly contains?: string;
  /** `failed` or `scored`. */
  readonly outcome?: string;
  /** `task` or `realtime`. */
  readonly lane?: string;
  /** The id of the request's API key. */
  readonly key?: string;
  /** What was found in the prompt or the response: a topic, a group of patterns or a type of personal data. */
  readonly label?: string;
  /** The score that `min` and `max` bound, both inclusive. It is present if one of them is. */
  readonly score?: Score;
  readonly min?: number;
  readonly max?: number;
}

/**
 * Reads stored results of scored prompts. Answers are objects ready to be sent, or undefined if the workspace
 * has no such result. Rejects with CLICKHOUSE_UNREACHABLE, CLICKHOUSE_REFUSED or QUERY_TOO_LARGE while the
 * store can't answer.
 */
export interface ResultReader {
  list(
    workspace: string,
    page: Page<AfterResult>,
    range: BoundedRange,
    filter: ResultFilter,
  ): Promise<object>;
  trends(workspace: string, range: BoundedRange, score: Score, filter: ResultFilter): Promise<object>;
  /** How long requests took, hop by hop. */
  hopTimes(workspace: string, range: BoundedRange): Promise<object>;
  one(workspace: string, id: string): Promise<object | undefined>;
}
