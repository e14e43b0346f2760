import type { Codec } from '../../runtime/codec.js';
import type { SlowOperation } from '../../schemas/generated/slow-operation.js';
import { parseSlowOperation, type SlowOperationItem } from '../../schemas/slow-operations.js';
import { slowOperations } from '../../topics/clusters.js';
import type { AgentDataset } from './dataset.js';

/** Entries of slow logs, scrubbed on the hosts that they come from. */
export function slowOperationsDataset(codec: Codec<SlowOperation>): AgentDataset<SlowOperationItem> {
  return {
    name: 'slow-operations',
    parse: parseSlowOperation,
    records: (items, { workspace, receivedAt }) =>
      items.map((item) => ({
        topic: slowOperations.name,
        key: item.cluster_uuid,
        value: codec.encode({ ...item, workspace, received_at: receivedAt }),
      })),
  };
}
