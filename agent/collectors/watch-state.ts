import type { Capability } from '../../schemas/snapshots/capability-section.js';
import type { CallFailure } from './call-failure.js';
import type { ClusterIdentity } from './section.js';

export type WatchState =
  'starting' | 'watching' | 'unauthorized' | 'forbidden' | 'unreachable' | 'unsupported' | 'duplicate';

export interface WatchStatus {
  readonly endpoint: string;
  readonly cluster: ClusterIdentity | null;
  readonly state: WatchState;
  readonly reason: string | null;
  /** The parts of the configuration that could not be applied. */
  readonly notes: readonly string[];
  readonly sections: readonly Capability[];
}

/** The log message when a watch enters a state. */
export const messages: Readonly<Record<Exclude<WatchState, 'watching'>, string>> = {
  starting: 'the watch of the cluster is starting',
  unauthorized:
    'the cluster refuses the credentials: nothing is collected. Give integration.json a valid apiKey, or username and password',
  forbidden:
    'the credentials may not query the cluster: nothing is collected. Grant them the cluster privilege monitor, and monitor on the indices *',
  unreachable: 'the cluster could not be asked',
  unsupported: 'the endpoint is not a cluster that can be watched',
  duplicate: 'the cluster is watched through another endpoint already',
};

/** The state of a watch whose cluster's identity is unknown. */
export function stateOf({ kind }: CallFailure): WatchState {
  if (kind === 'missing') return 'unsupported';
  return kind === 'forbidden' ? 'forbidden' : 'unreachable';
}
