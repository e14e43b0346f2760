import type { CapabilitiesSection } from '../../schemas/snapshots/capability-section.js';
import { failureOf } from './call-failure.js';
import type { SearchClient } from './client-port.js';

export type SlowLogThresholds = NonNullable<CapabilitiesSection['slow_log_thresholds']>;

/** Some 200 bytes for 150 indices; covered by the privilege `monitor` on indices. */
const path =
  '/_all/_settings/index.*.slowlog.threshold.*?flat_settings=true&expand_wildcards=all&ignore_unavailable=true';
const repeatMs = 900_000;
const retryMs = 120_000;

/**
 * Whether any index of the cluster has a slow-log threshold, which only its operator can set: without one nothing is
 * logged, and no entries do not mean that nothing is slow. Asked every quarter of an hour.
 */
export class SlowLogThresholdWatch {
  #known: { readonly thresholds: SlowLogThresholds | null; readonly at: number } | undefined;

  /** Null where it can't be told. `elapsed` is in milliseconds, of a clock that nobody sets. */
  async current(
    client: SearchClient,
    elapsed: number,
    signal: AbortSignal,
  ): Promise<SlowLogThresholds | null> {
    const keptMs = this.#known?.thresholds === null ? retryMs : repeatMs;
    if (this.#known === undefined || elapsed - this.#known.at >= keptMs) {
      this.#known = { thresholds: await ask(client, signal), at: elapsed };
    }
    return this.#known.thresholds;
  }

  forget(): void {
    this.#known = undefined;
  }
}

async function ask(client: SearchClient, signal: AbortSignal): Promise<SlowLogThresholds | null> {
  try {
    const answer = await client.get(path, { signal });
    return failureOf(answer) === undefined ? thresholdsIn(answer.body) : null;
  } catch {
    return null; // it is no section of its own: what keeps it from answering shows in the others
  }
}

/** Any index, any level; a negative duration switches a threshold off. */
export function thresholdsIn(body: unknown): SlowLogThresholds | null {
  if (typeof body !== 'object' || body === null) return null;
  const set = Object.values(body as Record<string, { settings?: Record<string, unknown> }>).flatMap(
    ({ settings }) =>
      Object.entries(settings ?? {}).flatMap(([name, value]) =>
        typeof value === 'string' && !value.startsWith('-') ? [name] : [],
      ),
  );
  return {
    search: set.some((name) => name.startsWith('index.search.slowlog.threshold.')),
    indexing: set.some((name) => name.startsWith('index.indexing.slowlog.threshold.')),
  };
}
