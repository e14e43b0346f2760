import { TelltaleError } from '../../runtime/errors.js';

/** The --rate option in records per second; undefined if there is no limit. */
export function rateOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const rate = Number(given);
  if (!(rate > 0))
    throw new TelltaleError('CONFIG_INVALID', { problems: '  --rate must be a number above 0' });
  return rate;
}
