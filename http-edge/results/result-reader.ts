import type { Score } from '../../schemas/scores.js';
import type { Page } from '../clusters/page.js';

/** Microseconds since 1970, from the first on and before the second. */
export interface BoundedRange {
  readonly from: number;
  readonly to: number;
}

/** Behind one result. */
export interface AfterResult {
  /** When it was accepted, microseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

export interface ResultFilter {
  readonly metric?: string;
  /** Text that the prompt must contain, in letters of any case. */
  readonly contains?: string;
  /** `failed` or `scored`. */
  readonly outcome?: string;
  /** `task` or `realtime`. */
  readonly lane?: string;
  /** The id of the API key that asked. */
  readonly key?: string;
  /** What was found in the prompt or the response: a topic, a group of patterns or a type of personal data. */
  readonly label?: string;
  /** Which score `min` and `max` bound; both are part of the range. Where one is given, so is the score. */
  readonly score?: Score;
  readonly min?: number;
  readonly max?: number;
}

/**
 * What is stored of scored prompts. Answers are objects ready to be sent; undefined where the workspace has no such result.
 * Rejects with CLICKHOUSE_UNREACHABLE, CLICKHOUSE_REFUSED or QUERY_TOO_LARGE while the store can't answer.
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
