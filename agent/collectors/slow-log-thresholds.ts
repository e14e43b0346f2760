import { masterTimeout } from '../integration/client/waits.js';
import type { CapabilitiesSection } from '../../schemas/snapshots/capability-section.js';
import { failureOf } from './call-failure.js';
import type { SearchClient } from './client-port.js';

export type SlowLogThresholds = NonNullable<CapabilitiesSection['slow_log_thresholds']>;

type Patience = Parameters<typeof masterTimeout>[0];

/** The known thresholds, and a diagnostic if they are incomplete. */
export interface KnownThresholds {
  readonly thresholds: SlowLogThresholds | null;
  readonly diagnostic: string | null;
}

/** Some 200 bytes for 150 indices; covered by the privilege `monitor` on indices. */
const thresholdsPath =
  '/_all/_settings/index.*.slowlog.threshold.*?flat_settings=true&expand_wildcards=all&ignore_unavailable=true';
/**
 * The indices that the credentials may see, and all that exist: the cluster's health needs no privilege on indices.
 */
const seenPath = '/_all/_settings/index.uuid?flat_settings=true&expand_wildcards=all&ignore_unavailable=true';
const existingPath = '/_cluster/health?level=indices&filter_path=indices.*.status';
const repeatMs = 900_000;
/**
 * While a threshold for searches or indexing is unset: an operator who sets it soon looks for its entries.
 */
const unsetRepeatMs = 60_000;
/** While nothing is known; twice as long each time, because the cluster might be too busy to answer. */
const firstRetryMs = 120_000;

export const nothingKnown: KnownThresholds = { thresholds: null, diagnostic: null };

interface Known {
  readonly said: KnownThresholds;
  /** When everything was asked for, and when the thresholds were last checked for changes. */
  readonly at: number;
  readonly lookedAt: number;
  readonly found: SlowLogThresholds | null;
}

/**
 * Whether any index of the cluster has a slow-log threshold, which only the cluster's operator can set.
 * Without one nothing is logged, so a lack of entries does not mean that nothing is slow. Everything is asked
 * for every quarter of an hour. While a threshold is missing, one call per minute checks whether it has been
 * set; only then is everything asked for again.
 */
export class SlowLogThresholdWatch {
  private readonly patience: Patience;
  private retryMs = firstRetryMs;
  private known: Known | undefined;

  constructor(patience: Patience) {
    this.patience = patience;
  }

  /** `elapsed` is in milliseconds of a monotonic clock. */
  async current(client: SearchClient, elapsed: number, signal: AbortSignal): Promise<KnownThresholds> {
    const known = this.known;
    const isUnread = known?.said.thresholds === null;
    if (known === undefined || elapsed - known.at >= (isUnread ? this.retryMs : repeatMs)) {
      this.retryMs = isUnread ? Math.min(2 * this.retryMs, repeatMs) : firstRetryMs;
      return this.remember(await ask(client, this.patience, signal), elapsed);
    }
    const { found, lookedAt } = known;
    if (found === null || (found.search && found.indexing) || elapsed - lookedAt < unsetRepeatMs)
      return known.said;
    const since = await look(client, this.patience, signal);
    this.known = { ...known, lookedAt: elapsed };
    if (since === null || (since.search === found.search && since.indexing === found.indexing))
      return known.said;
    return this.remember(await ask(client, this.patience, signal), elapsed);
  }

  private remember({ found, ...said }: Asked, at: number): KnownThresholds {
    this.known = { said, at, lookedAt: at, found };
    return said;
  }

  forget(): void {
    this.known = undefined;
  }
}

type Read = (path: string) => Promise<unknown>;

const readerOf =
  (client: SearchClient, patience: Patience, signal: AbortSignal): Read =>
  async (path) => {
    const answer = await client.get(`${path}&${masterTimeout(patience)}`, { signal });
    return failureOf(answer) === undefined ? answer.body : undefined;
  };

/** The thresholds found, whether or not every index is visible; null if they could not be read. */
async function look(
  client: SearchClient,
  patience: Patience,
  signal: AbortSignal,
): Promise<SlowLogThresholds | null> {
  try {
    return thresholdsIn(await readerOf(client, patience, signal)(thresholdsPath));
  } catch {
    return null; // the sections report why it does not answer
  }
}

type Asked = KnownThresholds & { readonly found: SlowLogThresholds | null };

async function ask(client: SearchClient, patience: Patience, signal: AbortSignal): Promise<Asked> {
  const read = readerOf(client, patience, signal);
  try {
    const found = thresholdsIn(await read(thresholdsPath));
    if (found === null || (found.search && found.indexing))
      return { thresholds: found, diagnostic: null, found };
    const [existing, seen] = [await read(existingPath), await read(seenPath)];
    return { ...provenOf(found, namesIn(existing, 'indices'), namesIn(seen)), found };
  } catch {
    return { ...nothingKnown, found: null }; // no section of its own: the others report why it does not answer
  }
}

/** Any index, any level; a negative duration switches a threshold off. */
export function thresholdsIn(body: unknown): { readonly search: boolean; readonly indexing: boolean } | null {
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

/** Finding no threshold proves that none is set only if every index is visible; otherwise it is unknown. */
function provenOf(
  found: { readonly search: boolean; readonly indexing: boolean },
  existing: readonly string[] | undefined,
  seen: readonly string[] | undefined,
): KnownThresholds {
  const hidden = existing === undefined || seen === undefined ? undefined : hiddenOf(existing, seen);
  if (hidden === 0) return { thresholds: found, diagnostic: null };
  const which = hidden === undefined ? 'the list of indices' : `${hidden} of the indices`;
  return {
    thresholds: { search: found.search || null, indexing: found.indexing || null },
    diagnostic: `unknown whether a slow-log threshold is set: ${which} cannot be seen. Grant the privilege monitor on the indices *`,
  };
}

/** System indices have dots before their names and no slow logs of users; backing indices of data streams count. */
function hiddenOf(existing: readonly string[], seen: readonly string[]): number {
  const known = new Set(seen);
  return existing.filter((name) => !known.has(name) && (!name.startsWith('.') || name.startsWith('.ds-')))
    .length;
}

function namesIn(body: unknown, under?: string): readonly string[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if (under === undefined) return Object.keys(body);
  return Object.keys((body as Record<string, object | undefined>)[under] ?? {});
}
