import { maxAgeDays, maxAgeMs } from '../../schemas/max-age.js';

/** Why a time (milliseconds since 1970) is refused as too old at `nowMs`; undefined if it is not. */
export function tooOld(field: string, timeMs: number, nowMs: number): string | undefined {
  return timeMs < nowMs - maxAgeMs
    ? `${field}: lies more than ${maxAgeDays} days in the past. Check the clock of the host`
    : undefined;
}

/** The same for a time more than `mostMs` ahead of `nowMs`. */
export function tooFarAhead(
  field: string,
  timeMs: number,
  nowMs: number,
  mostMs: number,
): string | undefined {
  const ahead = timeMs - nowMs;
  return ahead > mostMs
    ? `${field}: is ${Math.round(ahead / 1_000)} s in the future. Set the clock of the agent's host`
    : undefined;
}
