import type { Logger } from '../../runtime/logging.js';
import type { Snapshot } from '../../schemas/snapshots.js';
import type { SearchClient } from './client-port.js';
import type { CollectorInstruments } from './instruments.js';
import type { Instant } from './section-state.js';
import type { ClusterIdentity, Section } from './section.js';
import type { CollectorSettings } from './settings.js';

/** The dependencies of a watch; time and randomness are passed in. */
export interface WatchOptions {
  readonly client: SearchClient;
  readonly settings: CollectorSettings;
  readonly sections: readonly Section[];
  /** The endpoint, for log lines and the status. */
  readonly endpoint: string;
  readonly reporter: string;
  /** Settings of the configuration that could not be applied as written. */
  readonly diagnostics: () => readonly string[];
  readonly put: (items: readonly Snapshot[]) => Promise<void>;
  /** The cluster that the endpoint led to last, before this watch. */
  readonly known: ClusterIdentity | null;
  /** Called with each cluster that the endpoint leads to. */
  readonly met: (cluster: ClusterIdentity) => void;
  /** Whether this watch may report the cluster: false if another endpoint of this agent leads to it too. */
  readonly claim: (uuid: string) => boolean;
  /** Whether another endpoint of this agent reports the cluster now. */
  readonly isOthers: (uuid: string) => boolean;
  readonly logger: Logger;
  readonly instruments: CollectorInstruments;
  readonly readClocks: () => Instant;
  /** Resolves after this time, or at once when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly newId: () => string;
  /** How long a forbidden or missing section waits before it is tried again; half an hour unless given. */
  readonly reprobeMs?: number;
}
