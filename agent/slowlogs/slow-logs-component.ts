import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, TelltaleError } from '../../runtime/errors.js';
import { followIntegrationFile } from '../integration/config/follow-integration-file.js';
import type { Integration } from '../integration/config/integrations.js';
import { readIntegrations } from '../integration/config/read-integrations.js';
import type { AgentContext, AgentComponent, ComponentReport, RunningComponent } from '../component.js';
import { seenNow } from '../settings/watched-file.js';
import { digestKey } from './digest-key.js';
import { slowLogInstruments, type SlowLogInstruments } from './instruments.js';
import { LogReaders } from './log-readers.js';
import { ledgerFile } from './ledger/ledger-file.js';
import { keepTidy } from './ledger/keep-tidy.js';
import { pageNamed } from './ledger/ledger-state.js';
import { Ledger } from './ledger/ledger.js';
import type { Scrubber } from './scrub-pool.js';
import { SlowLogWatch } from './slow-log-watch.js';
import { readElsewhere } from './unread-logs.js';

/** The cycle of the collectors. */
const everyMs = 60_000;

/** Reads the slow logs of the clusters of integration.json whose `slowlog.enabled` is true, on this host. */
export const slowLogsComponent = createSlowLogsComponent(everyMs);

export function createSlowLogsComponent(intervalMs: number): AgentComponent {
  return {
    name: 'slow-logs',
    async start(context) {
      const component = await SlowLogs.open(context, intervalMs);
      await component.begin();
      return component;
    },
  };
}

/** The longest text that the capabilities of a cluster accept. */
const longestDiagnostic = 1_000;

interface Watched {
  readonly integration: Integration;
  readonly watch: SlowLogWatch;
}

/** What all watches share. */
interface Tools {
  readonly ledger: Ledger;
  readonly scrubber: Scrubber;
}

class SlowLogs implements RunningComponent {
  private readonly context: AgentContext;
  private readonly intervalMs: number;
  private readonly folder: string;
  private readonly key: string;
  private readonly instruments: SlowLogInstruments;
  /** Started with the first cluster that needs it. */
  private scrubber: Scrubber | undefined;
  private watched: readonly Watched[] = [];
  /** Ends the background work: the loops of the watches, and the cleaning of the ledger. */
  private end: () => Promise<unknown> = () => Promise.resolve();
  private unwatch: () => void = () => undefined;
  private applying: Promise<void> = Promise.resolve();
  /** Opened with the first cluster whose logs are read. */
  private ledger: Ledger | undefined;
  /** Why the present file is not in force; null if it is. */
  private problem: string | null = null;
  /** Entries whose logs are not read, because the ledger is damaged. */
  private unread: readonly Integration[] = [];
  private again: NodeJS.Timeout | undefined;
  private isStopping = false;
  private readonly readers = new LogReaders<Integration>();

  private constructor(context: AgentContext, intervalMs: number, folder: string, key: string) {
    this.context = context;
    this.intervalMs = intervalMs;
    this.folder = folder;
    this.key = key;
    this.instruments = slowLogInstruments(context.metrics);
  }

  static async open(context: AgentContext, intervalMs: number): Promise<SlowLogs> {
    const folder = join(context.config.current().AGENT_FOLDER, 'slow-logs');
    return new SlowLogs(context, intervalMs, folder, await digestKey(join(folder, 'digest-key')));
  }

  /** Rejects with CONFIG_INVALID: an agent does not start with an invalid file. */
  async begin(): Promise<void> {
    const { config } = this.context;
    const seen = seenNow(config.current().AGENT_INTEGRATION_FILE);
    await this.apply(seen.path).catch((error: unknown) => {
      // Traces and events must not wait until somebody repairs the ledger.
      if (!isLedgerInvalid(error)) throw error;
      this.refuse(error, seen.path);
    });
    this.unwatch = followIntegrationFile(config, seen, (file) => {
      this.applyAfterLast(file);
    });
  }

  private applyAfterLast(file: string): void {
    clearTimeout(this.again);
    this.applying = this.applying
      .then(() => this.apply(file))
      .catch((error: unknown) => {
        this.refuse(error, file);
      });
  }

  /** A damaged ledger is tried again, because nothing reports when it is repaired. */
  private refuse(error: unknown, file: string): void {
    const mayMend = isLedgerInvalid(error);
    const force =
      this.watched.length > 0
        ? 'the previous settings stay in force'
        : `no slow logs are read until ${mayMend ? 'it is repaired' : 'the file changes'}`;
    const reason = reasonOf(error);
    if (reason !== this.problem)
      this.context.logger.error({ event: 'slow-logs-settings-refused', reason }, force);
    this.problem = reason;
    if (mayMend && !this.isStopping)
      this.again = setTimeout(() => this.applyAfterLast(file), this.intervalMs).unref();
  }

  status(): object {
    const clusters = this.watched.map(({ integration, watch }) => ({
      url: integration.url,
      ...watch.status(),
    }));
    return { clusters, problem: this.problem };
  }

  report(): ComponentReport {
    return { problem: this.problem };
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.again);
    this.unwatch();
    await this.applying;
    await this.endAll();
    await this.scrubber?.stop();
  }

  /**
   * Everything that can be refused is tried before a watch ends. New watches start only once none collects,
   * because they share the ledger's pages.
   */
  private async apply(file: string): Promise<void> {
    const { entries } = await readIntegrations(file);
    const wanted = entries.filter(({ monitor, slowlog }) => monitor && slowlog.enabled);
    const tools = wanted.length > 0 ? await this.takeTools(wanted) : undefined;
    await this.endAll();
    this.readers.clear();
    this.problem = null;
    this.sayUnread([], []);
    if (tools === undefined) return;
    const stop = new AbortController();
    this.watched = wanted.map((integration) => this.watchOf(integration, tools, stop.signal));
    this.beginAll(tools.ledger, stop);
  }

  private beginAll(ledger: Ledger, stop: AbortController): void {
    const endpoints = new Set(this.watched.map(({ integration }) => pageNamed(integration.url)));
    const { logger } = this.context;
    const running = [
      keepTidy({ ledger, endpoints, now: () => this.now(), logger }, stop.signal),
      ...this.watched.map((one) => this.loop(one, stop.signal)),
    ];
    this.end = () => {
      stop.abort();
      return Promise.all(running);
    };
  }

  /** Milliseconds since 1970. */
  private now(): number {
    return Math.floor(this.context.clock() / 1_000);
  }

  /** Rejects if the ledger can't be read: the logs must not be read again from the beginning. */
  private async takeTools(wanted: readonly Integration[]): Promise<Tools> {
    const ledger = (this.ledger ??= await Ledger.open(ledgerFile(this.folder), this.context.outbox).catch(
      (error: unknown) => {
        this.sayUnread(wanted, [reasonOf(error)]);
        throw error;
      },
    ));
    const scrubber = (this.scrubber ??= await startScrubber(this.context));
    return { ledger, scrubber };
  }

  /** Reports why the logs of these entries are not read, and removes the reports of the former ones. */
  private sayUnread(integrations: readonly Integration[], diagnostics: readonly string[]): void {
    for (const integration of this.unread) this.context.diagnostics.forget(integration);
    this.unread = integrations;
    for (const integration of integrations) this.say(integration, diagnostics, null);
  }

  /** Adds diagnostics to the capabilities of a cluster. */
  private say(integration: Integration, diagnostics: readonly string[], cluster: string | null): void {
    const told = diagnostics.map((one) => `slow logs: ${one}`.slice(0, longestDiagnostic));
    this.context.diagnostics.say(integration, told, cluster);
  }

  private watchOf(integration: Integration, { ledger, scrubber }: Tools, signal: AbortSignal): Watched {
    const { logger, identities } = this.context;
    const { url, slowlog: settings } = integration;
    const watch = new SlowLogWatch({
      settings,
      whoIsIt: async () => {
        const said = await identities.of(integration, signal);
        return said === null ? null : { uuid: said.uuid, name: said.name };
      },
      endpoint: ledger.tail(pageNamed(url)),
      scrubber,
      elsewhere: (uuid) => {
        const reader = this.readers.claim(uuid, integration);
        return reader === integration ? undefined : reader.slowlog;
      },
      digestKey: this.key,
      instruments: this.instruments,
      logger: logger.child({ cluster: url }),
      now: () => this.now(),
    });
    return { integration, watch };
  }

  private async loop({ integration, watch }: Watched, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasMore = await watch.collect();
      const { notes, cluster_uuid } = watch.status();
      // It says nothing about the cluster, whose logs are read.
      this.say(
        integration,
        notes.filter((note) => note !== readElsewhere),
        cluster_uuid,
      );
      if (hasMore) continue;
      await sleep(this.intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async endAll(): Promise<void> {
    const ending = this.watched;
    this.watched = [];
    await this.end();
    for (const { integration } of ending) this.context.diagnostics.forget(integration);
  }
}

const isLedgerInvalid = (error: unknown): boolean =>
  error instanceof TelltaleError && error.code === 'LEDGER_INVALID';

/** Its pool of workers is only loaded if there is something to scrub, so that an idle agent stays small. */
async function startScrubber({ logger, metrics }: AgentContext): Promise<Scrubber> {
  const { createScrubber } = await import('./scrub-pool.js');
  return createScrubber({ logger, metrics });
}
