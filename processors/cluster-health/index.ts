import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { clusterHealth, clusterMemory, clusterRowTopics } from '../../topics/cluster-figures.js';
import { clusterSnapshots } from '../../topics/clusters.js';
import type { Processor, ProcessorDeclaration } from '../../runtime/processor.js';
import { Memories, type ReadPieces } from './memory/partition-memory.js';
import { clusterStep } from './step.js';

export const clusterHealthDeclaration: ProcessorDeclaration<ClusterSnapshot> = {
  name: 'cluster-health',
  from: clusterSnapshots,
  to: [...clusterRowTopics, clusterHealth, clusterMemory],
};

/** Snapshots of clusters → rows with derived figures, and the health score with its reasons. */
export function clusterHealthProcessor(readPieces: ReadPieces): Processor<ClusterSnapshot> {
  const memories = new Memories(readPieces);
  return {
    ...clusterHealthDeclaration,
    batchSize: 100,
    step: (records, context) => clusterStep(records, context, memories),
  };
}
