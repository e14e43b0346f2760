import type { Page } from '../clusters/page.js';
import type { BoundedRange } from '../results/result-reader.js';

/** The position after one metric of the workspace. */
export interface AfterMetric {
  readonly metric: string;
  readonly type: string;
}

export interface SeriesFilter {
  /** Undefined: the series with the most events. */
  readonly metric?: string;
  readonly cluster?: string;
}

/**
 * Reads stored custom events. Answers are objects ready to be sent. Rejects with CLICKHOUSE_UNREACHABLE,
 * CLICKHOUSE_REFUSED or QUERY_TOO_LARGE.
 */
export interface EventReader {
  metrics(workspace: string, page: Page<AfterMetric>, range: BoundedRange): Promise<object>;
  series(workspace: string, range: BoundedRange, filter: SeriesFilter): Promise<object>;
}
