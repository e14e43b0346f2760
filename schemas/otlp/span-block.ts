/** The most characters of an application's name. */
export const longestApplication = 200;

/**
 * The form in which the agent sends spans: one JSON object per line, with spans of one resource and one
 * scope. An absent value is empty or zero, as in protobuf. It contains everything of an OTLP span, and
 * nothing is rounded: 64-bit integers are decimal text, ids are lower-case hex.
 */
export interface SpanBlock {
  /** The name under which the application reports: from the path, otherwise the resource's `service.name`. */
  readonly application: string;
  readonly resource?: Resource;
  readonly scope?: Scope;
  /** At least one. */
  readonly spans: readonly Span[];
}

export interface Resource {
  readonly attributes?: Attributes;
  readonly dropped_attributes_count?: number;
  readonly schema_url?: string;
}

/** OTLP's instrumentation scope, formerly called instrumentation library. */
export interface Scope {
  readonly name?: string;
  readonly version?: string;
  readonly attributes?: Attributes;
  readonly dropped_attributes_count?: number;
  readonly schema_url?: string;
}

export interface Span {
  /** 32 hex digits, not all zero. */
  readonly trace_id: string;
  /** 16 hex digits, not all zero. */
  readonly span_id: string;
  /** 16 hex digits; absent for a root. */
  readonly parent_span_id?: string;
  readonly trace_state?: string;
  /** Bits 0 to 7 are W3C trace flags, 8 and 9 say whether the parent is remote. */
  readonly flags?: number;
  readonly name?: string;
  /** The number of the SpanKind. */
  readonly kind?: number;
  /** Nanoseconds since 1970, as decimal text; at most 2^63 - 1 (in the year 2262), the store's limit. */
  readonly start: string;
  readonly end: string;
  readonly attributes?: Attributes;
  readonly dropped_attributes_count?: number;
  readonly events?: readonly SpanEvent[];
  readonly dropped_events_count?: number;
  readonly links?: readonly SpanLink[];
  readonly dropped_links_count?: number;
  /** The number of the StatusCode. */
  readonly status_code?: number;
  readonly status_message?: string;
}

export interface SpanEvent {
  /** Nanoseconds since 1970, as `start`. */
  readonly time: string;
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly dropped_attributes_count?: number;
}

export interface SpanLink {
  /** Empty if the link names no trace, which OTLP allows. */
  readonly trace_id: string;
  readonly span_id: string;
  readonly trace_state?: string;
  readonly attributes?: Attributes;
  readonly dropped_attributes_count?: number;
  readonly flags?: number;
}

/**
 * A list of attributes, as columns. Every value is a text, as in trace stores. `types` says what kind of
 * value the text stands for, with one letter per value:
 *
 * - `s` string, `b` boolean, `i` 64-bit integer, `d` double, `y` bytes (base64), `n` no value;
 * - `a(…)` array and `k(…)` list of keys and values, with the letters of their elements between the parentheses. Their
 *   text is JSON, in which an integer has all of its digits, bytes are base64 text, and a double that is not
 *   finite is the text `NaN`, `Infinity` or `-Infinity`.
 */
export interface Attributes {
  readonly types: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** The names of span kinds and status codes in OTLP/JSON, by number. */
export const spanKinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
export const statusCodes = ['UNSET', 'OK', 'ERROR'] as const;
