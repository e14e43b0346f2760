import type { Codec } from '../../runtime/codec.js';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { wellFormedJson } from '../../schemas/well-formed-json.js';
import { parseSnapshot, snapshotId, type Snapshot } from '../../schemas/snapshots.js';
import { clusterSnapshots } from '../../topics/clusters.js';
import { tooFarAhead, tooOld } from './age.js';
import type { AgentDataset, BatchContext } from './dataset.js';

/** A slot further ahead would block the snapshots of agents with correct clocks until then. */
const clockAheadMs = 600_000;

/**
 * Snapshots of search clusters, collected by agents. All of them are appended. If two agents send the same
 * slot, the topic's readers decide which agent owns it, by the order of the topic
 * (schemas/snapshots/slot-owner.ts).
 */
export function snapshotsDataset(codec: Codec<ClusterSnapshot>): AgentDataset<Snapshot> {
  return {
    name: 'snapshots',
    parse(item, at) {
      const parsed = parseSnapshot(item);
      if (!parsed.ok) return { reason: parsed.reason };
      const { taken_at: takenAt, slot } = parsed.snapshot;
      const reason =
        tooFarAhead('taken_at', Math.max(takenAt, slot), at / 1_000, clockAheadMs) ??
        tooOld('taken_at', Math.min(takenAt, slot), at / 1_000);
      return reason === undefined ? { item: parsed.snapshot } : { reason };
    },
    records: (snapshot, context) => [
      {
        topic: clusterSnapshots.name,
        key: snapshot.cluster_uuid,
        value: codec.encode(toClusterSnapshot(snapshot, context)),
      },
    ],
  };
}

/** The record: the item with its id, its body as text, and the fields that only the edge knows. */
function toClusterSnapshot(
  { body, unavailable, ...header }: Snapshot,
  { workspace, keyId, receivedAt }: BatchContext,
): ClusterSnapshot {
  return {
    ...header,
    id: snapshotId(header),
    workspace,
    key_id: keyId,
    unavailable: [...unavailable],
    body: wellFormedJson(JSON.stringify(body)),
    received_at: Math.floor(receivedAt / 1_000),
  };
}
