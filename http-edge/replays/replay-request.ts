import type { FieldError } from '../../runtime/http/problem.js';
import { readCondition } from '../../runtime/replays/scoring/condition.js';
import type { ScoringReplayRequest } from '../../runtime/replays/scoring/scoring-replay-request.js';
import type { ReplayedSink, TableReplayRequest } from '../../runtime/replays/table/table-replay-request.js';
import { isoMicros } from '../../schemas/iso-time.js';
import { combined, metricKeys } from '../../schemas/metrics.js';

/** What an HTTP request asks for: to score texts of the key's own workspace again, or to rebuild a table. */
export type ReplayRequest = {
  /** The most records per second. */
  readonly rate: number | null;
} & (
  | { readonly kind: 'scoring'; readonly request: ScoringReplayRequest }
  | { readonly kind: 'table'; readonly request: TableReplayRequest }
);

type Body = Readonly<Record<string, unknown>>;
type Check = (holds: boolean, field: string, what: string) => void;

/** Either a valid request, or every field that is wrong. */
export function replayRequestOf(
  body: Body,
  workspace: string,
  sinks: readonly ReplayedSink[],
): ReplayRequest | readonly FieldError[] {
  const errors: FieldError[] = [];
  const check: Check = (holds, field, what) => {
    if (!holds) errors.push({ pointer: `/${field}`, detail: `\`${field}\` must be ${what}.` });
  };
  const { kind, rate = null } = body;
  check(kind === 'scoring' || kind === 'table', 'kind', '`scoring` or `table`');
  check(rate === null || (typeof rate === 'number' && rate >= 1), 'rate', 'a number of 1 or more');
  const request =
    kind === 'table'
      ? { kind, request: tableRequestOf(body, sinks, check) }
      : { kind: 'scoring' as const, request: scoringRequestOf(body, workspace, check) };
  return errors.length > 0 ? errors : ({ ...request, rate } as ReplayRequest);
}

/** The request as it was sent; `check` has recorded what is wrong with it. */
function scoringRequestOf(body: Body, workspace: string, check: Check): unknown {
  const { metric, from = null, to = null, status = false, where = [] } = body;
  const metrics: readonly unknown[] = [combined, ...metricKeys];
  check(metrics.includes(metric), 'metric', `one of ${metrics.join(', ')}`);
  check(isTimestamp(from), 'from', 'a timestamp in ISO 8601');
  check(isTimestamp(to), 'to', 'a timestamp in ISO 8601');
  check(typeof status === 'boolean', 'status', 'true or false');
  const conditions = conditionsOf(where);
  check(conditions !== undefined, 'where', 'a list of strings such as `prompt_toxicity >= 0.8`');
  check(status !== true || conditions?.length === 0, 'status', 'false if `where` is given');
  return { metric, workspace, from, to, status, where: conditions };
}

function tableRequestOf(body: Body, sinks: readonly ReplayedSink[], check: Check): unknown {
  const { from = null, to = null } = body;
  const sink = sinks.find(({ name }) => name === body['sink']);
  check(sink !== undefined, 'sink', `one of ${sinks.map(({ name }) => name).join(', ')}`);
  check(isTimestamp(from) || isOffset(from), 'from', 'a timestamp in ISO 8601, or an offset');
  check(isTimestamp(to) || isOffset(to), 'to', 'a timestamp in ISO 8601, or an offset');
  return { sink, from: asText(from), to: asText(to) };
}

/** Converts an offset to text, the form that the command has. */
const asText = (bound: unknown): unknown => (typeof bound === 'number' ? String(bound) : bound);

const isOffset = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isTimestamp = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && isoMicros(value) !== undefined);

/** Undefined if one of them is not a condition. */
function conditionsOf(where: unknown): string[] | undefined {
  if (!Array.isArray(where) || where.length > 20) return undefined;
  try {
    const texts = where.map(String);
    for (const text of texts) readCondition(text);
    return texts;
  } catch {
    return undefined;
  }
}
