import type { BoundedRange } from '../results/result-reader.js';

/**
 * How applications perform, measured by their entry spans: roots, and spans of kind server or consumer.
 * Answers are objects ready to be sent. Rejects with CLICKHOUSE_UNREACHABLE, CLICKHOUSE_REFUSED or
 * QUERY_TOO_LARGE.
 */
export interface ApplicationReader {
  list(workspace: string, range: BoundedRange): Promise<object>;
  /** The operations of one application, or of all, and their slowest calls. */
  operations(workspace: string, range: BoundedRange, application: string | undefined): Promise<object>;
  /** Which application calls which. */
  calls(workspace: string, range: BoundedRange): Promise<object>;
}
