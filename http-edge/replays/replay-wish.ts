import type { FieldError } from '../../runtime/http/problem.js';
import { readCondition } from '../../runtime/replays/scoring/condition.js';
import type { ScoringWish } from '../../runtime/replays/scoring/scoring-wish.js';
import { isoMicros } from '../../schemas/iso-time.js';
import { combined, metricKeys, type RequestedMetric } from '../../schemas/metrics.js';

/** What is asked for by HTTP: of the key's own workspace alone. */
export interface ReplayWish {
  readonly wish: ScoringWish;
  /** Records a second at most. */
  readonly rate: number | null;
}

/** Either a valid wish, or every field that is wrong. */
export function replayWishOf(
  body: Readonly<Record<string, unknown>>,
  workspace: string,
): ReplayWish | readonly FieldError[] {
  const errors: FieldError[] = [];
  const { kind, metric, from = null, to = null, status = false, where = [], rate = null } = body;
  const metrics: readonly unknown[] = [combined, ...metricKeys];
  const check = (holds: boolean, field: string, what: string): void => {
    if (!holds) errors.push({ pointer: `/${field}`, detail: `\`${field}\` must be ${what}.` });
  };
  check(kind === 'scoring', 'kind', '`scoring`');
  check(metrics.includes(metric), 'metric', `one of ${metrics.join(', ')}`);
  check(isMoment(from), 'from', 'a moment in ISO 8601');
  check(isMoment(to), 'to', 'a moment in ISO 8601');
  check(typeof status === 'boolean', 'status', 'true or false');
  check(rate === null || (typeof rate === 'number' && rate >= 1), 'rate', 'a number of 1 or more');
  const conditions = conditionsOf(where);
  if (conditions === undefined)
    errors.push({
      pointer: '/where',
      detail: '`where` must be a list of strings as `prompt_toxicity >= 0.8`.',
    });
  check(status !== true || conditions?.length === 0, 'status', 'false where `where` is given');
  if (errors.length > 0 || conditions === undefined) return errors;
  return {
    wish: {
      metric: metric as RequestedMetric,
      workspace,
      from: from as string | null,
      to: to as string | null,
      status: status as boolean,
      where: conditions,
    },
    rate: rate as number | null,
  };
}

const isMoment = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && isoMicros(value) !== undefined);

/** Undefined where one is none. */
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
