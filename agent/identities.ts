import { untilAborted } from '../runtime/backoff.js';
import type { ClusterIdentity } from './collectors/section.js';
import type { IntegrationEntry } from './diagnostics.js';

/** Null if the cluster does not say which it is, and while it must not be asked. */
type WhoIsIt = () => Promise<ClusterIdentity | null>;

/**
 * Which cluster an entry of integration.json leads to. One component asks for all others, so there is one
 * call at a time, and no component repeats a call that the cluster has refused to another.
 */
export interface Identities {
  /** Called by the component that asks. Once the returned function is called, it is no longer asked. */
  offer(entry: IntegrationEntry, whoIsIt: WhoIsIt): () => void;
  /**
   * Also null if no component asks, and once the signal is aborted: a slow cluster can get many calls before
   * this one.
   */
  of(entry: IntegrationEntry, signal: AbortSignal): Promise<ClusterIdentity | null>;
}

export function createIdentities(): Identities {
  const offered = new Map<string, WhoIsIt>();
  const nameOf = ({ index, url }: IntegrationEntry): string => `${index} ${url}`;
  return {
    offer(entry, whoIsIt) {
      const name = nameOf(entry);
      offered.set(name, whoIsIt);
      return () => {
        if (offered.get(name) === whoIsIt) offered.delete(name);
      };
    },
    async of(entry, signal) {
      const whoIsIt = offered.get(nameOf(entry));
      return whoIsIt === undefined || signal.aborted ? null : untilAborted(whoIsIt(), signal, () => null);
    },
  };
}
