import type { Codec } from '../../runtime/codec.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { readPartition } from '../../runtime/kafka/consume/read-partition.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { ingestBatches } from '../../topics/ingest.js';

/** The last batch of each spool and dataset. */
export async function readBatches(
  codec: Codec<IngestBatch>,
  kafka: KafkaAccess,
): Promise<readonly IngestBatch[]> {
  const { signal } = new AbortController();
  const read = await Promise.all(
    Array.from({ length: ingestBatches.partitions }, (_, partition) =>
      readPartition({ topic: ingestBatches, codec, partition, kafka, signal }),
    ),
  );
  return read.flatMap(({ values }) => [...values.values()]);
}
