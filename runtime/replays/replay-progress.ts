import type { ReplayState } from './replay-log.js';

/** The progress of a replay as programs read it. */
export function progressOf({ id, kind, what, status, records, total, failures, rate, reason }: ReplayState) {
  return {
    id,
    kind,
    what,
    status,
    records,
    total,
    failures,
    rate,
    eta_seconds: etaOf(records, total, rate),
    reason,
  };
}

function etaOf(records: number, total: number | null, rate: number | null): number | null {
  return total === null || rate === null || rate <= 0
    ? null
    : Math.max(0, Math.round((total - records) / rate));
}
