import type { ReplayBound } from '../../runtime/replays/table/table-plan.js';
import { timestampOf } from '../../runtime/replays/timestamp.js';

/** A bound of a replay: a number is an offset, in every partition; anything else a time. */
export function boundOf(given: string | undefined): ReplayBound | undefined {
  if (given === undefined) return undefined;
  return /^\d+$/.test(given) ? { offset: Number(given) } : { time: timestampOf(given, Date.now()) };
}
