import type { Capability } from '../../schemas/snapshots/capability-section.js';
import type { ClusterIdentity } from './section.js';

export type WatchState =
  'starting' | 'watching' | 'unauthorized' | 'unreachable' | 'unsupported' | 'duplicate';

export interface WatchStatus {
  readonly endpoint: string;
  readonly cluster: ClusterIdentity | null;
  readonly state: WatchState;
  readonly reason: string | null;
  readonly sections: readonly Capability[];
}

/** What is logged where a watch turns to a state. */
export const messages: Readonly<Record<Exclude<WatchState, 'watching'>, string>> = {
  starting: 'the watch of the cluster begins',
  unauthorized:
    'the cluster refuses the credentials: nothing is collected. Give integration.json a valid apiKey, or username and password',
  unreachable: 'the cluster could not be asked',
  unsupported: 'the endpoint is no cluster that can be watched',
  duplicate: 'the cluster is watched through another endpoint already',
};
