import type { WorkspaceAnalyst } from '../../stack/clickhouse/workspace-analysts.js';
import type { Account, Server } from '../../stack/server.js';

/** The three servers of a test run, not started yet, local or in containers. */
export interface TestServers {
  readonly kafka: Server;
  readonly registry: Server;
  readonly clickhouse: Server;
  /** Removes the files left after a stop. */
  remove(): Promise<void>;
}

export interface TestAccounts {
  readonly writer: Account;
  readonly edge: Account;
  readonly analyst: Account;
  readonly workspaceAnalysts: readonly WorkspaceAnalyst[];
  readonly registry: Account;
}
