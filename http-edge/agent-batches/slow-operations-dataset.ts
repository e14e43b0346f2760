import type { Codec } from '../../runtime/codec.js';
import type { SlowOperation } from '../../schemas/generated/slow-operation.js';
import {
  parseSlowOperation,
  slowOperationAheadMs,
  type SlowOperationItem,
} from '../../schemas/slow-operations.js';
import { slowOperations } from '../../topics/clusters.js';
import { tooFarAhead, tooOld } from './age.js';
import type { AgentDataset } from './dataset.js';

/** Slow-log entries, scrubbed on the hosts that they come from. */
export function slowOperationsDataset(codec: Codec<SlowOperation>): AgentDataset<SlowOperationItem> {
  return {
    name: 'slow-operations',
    parse(item, at) {
      const parsed = parseSlowOperation(item);
      if (!('item' in parsed)) return parsed;
      const time = parsed.item.at / 1_000;
      const reason =
        tooFarAhead('at', time, at / 1_000, slowOperationAheadMs) ?? tooOld('at', time, at / 1_000);
      return reason === undefined ? parsed : { reason };
    },
    records: (item, { workspace, receivedAt }) => [
      {
        topic: slowOperations.name,
        key: item.cluster_uuid,
        value: codec.encode({ ...item, workspace, received_at: receivedAt }),
      },
    ],
  };
}
