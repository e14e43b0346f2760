import type { LetterGroup } from '../../runtime/dead-letters/letter-groups.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import { duration } from '../lag/lag-text.js';
import { good, named, problem, warning, type Check } from './check.js';

const dayMs = 86_400_000;
const soonDays = 14;

export interface AccessChecksOptions {
  readonly keys: () => Promise<readonly ApiKey[]>;
  readonly deadLetters: () => Promise<readonly LetterGroup[]>;
  readonly now?: () => number;
}

/** Keys that are valid now, and expire within two weeks. */
export function aboutToExpire(keys: readonly ApiKey[], now: number): readonly ApiKey[] {
  return keys.filter((key) => {
    const left = msLeft(key, now);
    return key.revoked_at === null && left > 0 && left < soonDays * dayMs;
  });
}

const msLeft = ({ expires_at: at }: ApiKey, now: number): number =>
  at === null ? Infinity : at / 1_000 - now;

export function accessChecks(options: AccessChecksOptions): readonly Check[] {
  const { keys, deadLetters, now = Date.now } = options;
  return [
    {
      name: 'API keys',
      async look() {
        const all = await keys();
        const soon = aboutToExpire(all, now());
        const left = (key: ApiKey): number => msLeft(key, now());
        const alive = all.filter(({ revoked_at: revoked }) => revoked === null);
        return soon.length > 0
          ? warning(
              `About to expire: ${named(soon.map((key) => `${key.key_id} (${key.name}) in ${duration(left(key) / 1_000)}`))}.`,
              'Make a new key with `telltale keys create`, give it to the users of the old one, then revoke the old one.',
            )
          : good(`None of ${alive.length} keys expires within ${soonDays} days.`);
      },
    },
    {
      name: 'dead letters',
      async look() {
        const open = (await deadLetters()).filter((group) => group.open > 0);
        const count = open.reduce((sum, group) => sum + group.open, 0);
        return count > 0
          ? problem(
              `${count} ${count === 1 ? 'is' : 'are'} open: ${named(open.map((group) => `${group.open} of ${group.stage} (${group.code})`))}.`,
              '`telltale dead-letters list` and `show` say why; fix that, then `replay` them, or `discard` them with a reason.',
            )
          : good('None is open.');
      },
    },
  ];
}
