import type { CodecBook } from '../../runtime/registry/codec-book.js';
import { clusterSnapshots, slowOperations } from '../../topics/clusters.js';
import { ingestEvents, ingestSpans } from '../../topics/ingest.js';
import type { Topic } from '../../topics/topic.js';
import type { AgentDataset } from './dataset.js';
import { eventsDataset } from './events-dataset.js';
import { slowOperationsDataset } from './slow-operations-dataset.js';
import { snapshotsDataset } from './snapshots-dataset.js';
import { spansDataset } from './spans-dataset.js';

/** The topics that the datasets write. */
export const agentTopics: readonly Topic[] = [ingestEvents, ingestSpans, clusterSnapshots, slowOperations];

/** What agents may send: each is `POST /api/v1/agent/<name>`. */
export function agentDatasets(codecs: CodecBook): readonly AgentDataset[] {
  return [
    eventsDataset(codecs.of(ingestEvents)),
    spansDataset(codecs.of(ingestSpans)),
    snapshotsDataset(codecs.of(clusterSnapshots)),
    slowOperationsDataset(codecs.of(slowOperations)),
  ];
}
