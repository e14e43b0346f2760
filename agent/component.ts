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

/** What the server takes from agents; each has its own order, and an outage of one holds up no other. */
export const datasets = ['events', 'spans', 'snapshots', 'slow-operations'] as const;

export type Dataset = (typeof datasets)[number];

/** Items as the spool writes them. */
export interface Frames {
  readonly bytes: Buffer;
  readonly items: number;
}

/** Where components hand over what they have gathered. */
export interface Outbox {
  /**
   * Resolves once all items are on disk (or on the server): only then may anything be promised to a client. Each item
   * is one JSON object as the dataset's schema has it. Rejects with SPOOL_FULL or SPOOL_BROKEN, and then none of the
   * items was taken; but where a broken disk keeps what was written of them, a kill before the next put brings them back.
   */
  put(dataset: Dataset, items: readonly object[] | Frames): Promise<void>;
  /**
   * Bytes of a dataset that have been taken, ever: it grows with each put that becomes durable, in this process or
   * before, and with nothing else, whatever comes after. Who is a dataset's only writer can tell by it after a crash
   * whether its last put was taken. Rejects with SPOOL_BROKEN while a put that failed may still come back.
   */
  bytesCommitted(dataset: Dataset): Promise<number>;
}

/** What every component of the agent is given. */
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

/** One thing that the agent does: takes traces, asks a cluster, reads slow logs. */
export interface AgentComponent {
  readonly name: string;
  /** Resolves once the component works; what can't work now but may later (a cluster that is away) is no reason to reject. */
  start(context: AgentContext): Promise<RunningComponent>;
  /** What it would do, for `telltale agent check`; reads files, and asks nobody. */
  check?(config: AgentConfig): Promise<ComponentCheck>;
}

interface ComponentCheck {
  /** One line each. */
  readonly does: readonly string[];
  /** What is wrong with its configuration, each with its location. */
  readonly problems: readonly string[];
}

/** What a component says to the server. Holds no secrets. */
export interface ComponentReport {
  /** Null, or absent, where it works. */
  readonly problem?: string | null;
  readonly clusters?: AgentReportBody['clusters'];
  readonly connectionTests?: AgentReportBody['connection_tests'];
}

export interface RunningComponent {
  /** What this component answers on the agent's port. */
  readonly routes?: readonly Route[];
  /** What it does now, for GET /status. Holds no secrets. */
  status(): object;
  /** Absent where there is nothing to say. */
  report?(): ComponentReport;
  /** Asks a cluster that it watches; undefined where it watches no such cluster. */
  hotThreads?(clusterUuid: string, signal: AbortSignal): Promise<HotThreads | undefined>;
  stop(): Promise<void>;
}
