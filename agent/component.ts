import type { Clock } from '../runtime/clock.js';
import type { Health } from '../runtime/health.js';
import type { Route } from '../runtime/http/route.js';
import type { Logger } from '../runtime/logging.js';
import type { Metrics } from '../runtime/metrics.js';
import type { AgentReportBody } from '../schemas/agent-report.js';
import type { AgentConfig } from './config.js';
import type { HotThreads } from './integration/connection-test/hot-threads.js';
import type { Identities } from './identities.js';
import type { LiveConfig } from './live-config.js';
import type { Diagnostics } from './diagnostics.js';

/** The datasets of agents; each has its own order, and an outage of one does not delay the others. */
export const datasets = ['events', 'spans', 'snapshots', 'slow-operations'] as const;

export type Dataset = (typeof datasets)[number];

/** Items as the spool writes them. */
export interface Frames {
  readonly bytes: Buffer;
  readonly items: number;
}

/** Where components put what they have gathered. */
export interface Outbox {
  /**
   * Resolves once all items are on disk (or on the server): only then may anything be promised to a client.
   * Each item is one JSON object of the dataset's schema. Rejects with SPOOL_FULL or SPOOL_BROKEN, and has
   * then taken none of the items. However, if a broken disk keeps part of the write, a kill before the next
   * put can bring them back.
   */
  put(dataset: Dataset, items: readonly object[] | Frames): Promise<void>;
  /**
   * How many bytes of a dataset have ever been taken. Only a put that becomes durable increases it, in this
   * process or an earlier one. So after a crash a dataset's only writer can tell whether its last put was
   * taken. Rejects with SPOOL_BROKEN while a put that failed could still come back.
   */
  bytesCommitted(dataset: Dataset): Promise<number>;
}

/** What every component of the agent gets. */
export interface AgentContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Microseconds since 1970. */
  readonly clock: Clock;
  readonly config: LiveConfig;
  readonly outbox: Outbox;
  readonly diagnostics: Diagnostics;
  readonly identities: Identities;
}

/** One component of the agent: it takes traces, watches clusters, reads slow logs. */
export interface AgentComponent {
  readonly name: string;
  /**
   * Resolves once the component works. A cause that can pass by itself (a cluster that is down) is no reason
   * to reject.
   */
  start(context: AgentContext): Promise<RunningComponent>;
  /** What it would do, for `telltale agent check`; reads files, and makes no calls. */
  check?(config: AgentConfig): Promise<ComponentCheck>;
}

interface ComponentCheck {
  /** One line each. */
  readonly does: readonly string[];
  /** What is wrong with its configuration, each with its location. */
  readonly problems: readonly string[];
}

/** The report of a component to the server. Contains no secrets. */
export interface ComponentReport {
  /** Null or absent if it works. */
  readonly problem?: string | null;
  readonly clusters?: AgentReportBody['clusters'];
  readonly connectionTests?: AgentReportBody['connection_tests'];
}

export interface RunningComponent {
  /** The routes of this component on the agent's port. */
  readonly routes?: readonly Route[];
  /** Its present state, for GET /status. Contains no secrets. */
  status(): object;
  /** Absent if there is nothing to report. */
  report?(): ComponentReport;
  /** Asks a cluster that it watches; undefined if it watches no such cluster. */
  hotThreads?(clusterUuid: string, signal: AbortSignal): Promise<HotThreads | undefined>;
  stop(): Promise<void>;
}
