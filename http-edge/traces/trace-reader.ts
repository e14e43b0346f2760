import type { Page } from '../clusters/page.js';
import type { BoundedRange } from '../results/result-reader.js';

/** The position after one span of a search. */
export interface AfterSpan {
  /** When it started, in nanoseconds since 1970 as decimal text: it has too many digits for a number. */
  readonly at: string;
  readonly trace: string;
  readonly span: string;
}

/** The position after one span of a trace. */
export interface AfterTraceSpan {
  /** When the first span of the trace and this one started, in the same form. */
  readonly first: string;
  readonly at: string;
  readonly span: string;
}

export interface SpanFilter {
  /** `roots`, `entries` or `all`. */
  readonly spans: string;
  readonly application?: string;
  readonly operation?: string;
  /** `error` or `ok`. */
  readonly status?: string;
  readonly attributeKey?: string;
  /** Undefined: any value. */
  readonly attributeValue?: string;
  /** Nanoseconds. */
  readonly shortest?: number;
  readonly longest?: number;
}

export interface WantedOtlp {
  /** Only this span. */
  readonly span?: string | undefined;
  readonly after?: AfterTraceSpan | undefined;
}

export interface OtlpPage {
  readonly request: object;
  /** The cursor of the spans after these; null at the end of the trace. */
  readonly next: string | null;
}

/**
 * Reads stored traces. Answers are objects ready to be sent, or undefined if the workspace has no such trace.
 * Rejects with CLICKHOUSE_UNREACHABLE, CLICKHOUSE_REFUSED or QUERY_TOO_LARGE while the store can't answer.
 */
export interface TraceReader {
  search(workspace: string, page: Page<AfterSpan>, range: BoundedRange, filter: SpanFilter): Promise<object>;
  /** How many of the spans that a search finds took how long, over time. */
  durations(workspace: string, range: BoundedRange, filter: SpanFilter): Promise<object>;
  one(workspace: string, trace: string, after: AfterTraceSpan | undefined): Promise<object | undefined>;
  /** The spans after `after`, or one span alone, as an OTLP/JSON request. */
  otlp(workspace: string, trace: string, wanted: WantedOtlp): Promise<OtlpPage | undefined>;
}
