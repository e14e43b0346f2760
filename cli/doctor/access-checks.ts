import { ofIdempotencyKeys } from '../../http-edge/agent/batch-view.js';
import type { LetterGroup } from '../../runtime/dead-letters/letter-groups.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { duration } from '../lag/lag-text.js';
import { good, named, problem, warning, type Check } from './check.js';

const dayMs = 86_400_000;
/** Agents say something every few seconds where they watch clusters; one of traces alone may have nothing to say at night. */
const silentMs = 3_600_000;
const forgottenMs = 7 * dayMs;
const soonDays = 14;

export interface AccessChecksOptions {
  readonly keys: () => Promise<readonly ApiKey[]>;
  /** The last batch of each spool and dataset. */
  readonly batches: () => Promise<readonly IngestBatch[]>;
  readonly deadLetters: () => Promise<readonly LetterGroup[]>;
  readonly now?: () => number;
}

/** Keys that are valid, and will not be in two weeks. */
export function aboutToExpire(keys: readonly ApiKey[], now: number): readonly ApiKey[] {
  return keys.filter((key) => {
    const left = msLeft(key, now);
    return key.revoked_at === null && left > 0 && left < soonDays * dayMs;
  });
}

const msLeft = ({ expires_at: at }: ApiKey, now: number): number =>
  at === null ? Infinity : at / 1_000 - now;

export function accessChecks(options: AccessChecksOptions): readonly Check[] {
  const { keys, batches, deadLetters, now = Date.now } = options;
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
              'Make a new key with `telltale keys create`, give it to who uses the old one, then revoke that.',
            )
          : good(`None of ${alive.length} keys expires within ${soonDays} days.`);
      },
    },
    {
      name: 'agents',
      async look() {
        const heard = new Map<string, number>();
        for (const { spool, dataset, received_at: at } of await batches())
          if (dataset !== ofIdempotencyKeys) heard.set(spool, Math.max(heard.get(spool) ?? 0, at / 1_000));
        const silent = [...heard].filter(([, at]) => now() - at > silentMs && now() - at < forgottenMs);
        return silent.length > 0
          ? warning(
              `Not heard of: ${named(silent.map(([spool, at]) => `spool ${spool} for ${duration((now() - at) / 1_000)}`))}.`,
              'See on its host whether the agent runs and reaches the edge: `GET http://127.0.0.1:3774/status`. An agent that has nothing to send is silent too.',
            )
          : good(
              `${heard.size} agents have sent something; none fell silent within the last ${forgottenMs / dayMs} days.`,
            );
      },
    },
    {
      name: 'versions and spools of agents',
      look: () =>
        Promise.resolve({
          verdict: 'unknown' as const,
          detail: 'Agents do not tell the server their version, nor how full their spools are.',
          cure: 'Each says it itself: `/status` on its host, and `telltale_agent_spool_bytes` among its metrics.',
        }),
    },
    {
      name: 'dead letters',
      async look() {
        const open = (await deadLetters()).filter((group) => group.open > 0);
        const count = open.reduce((sum, group) => sum + group.open, 0);
        return count > 0
          ? problem(
              `${count} ${count === 1 ? 'is' : 'are'} open: ${named(open.map((group) => `${group.open} of ${group.stage} (${group.code})`))}.`,
              '`telltale dead-letters list` and `show` say why; mend that, then `replay` them, or `discard` them with a reason.',
            )
          : good('None is open.');
      },
    },
  ];
}
