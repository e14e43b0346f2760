import type { Codec } from '../../../runtime/codec.js';
import type { RecordsByOffset } from '../../../runtime/kafka/consume/find-records.js';
import { reasonOf } from '../../../runtime/errors.js';
import type { Logger } from '../../../runtime/logging.js';
import type { Metrics } from '../../../runtime/metrics.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import { encodeEntry, matchesReference, offsetIn } from '../entry.js';

export interface ResultsInLogOptions {
  readonly records: Pick<RecordsByOffset, 'read'>;
  readonly codec: Codec<TaskStatus>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The results that this edge does not store. They are in Kafka, in the records that its entries refer to. */
export class ResultsInLog {
  private readonly reads;

  constructor(private readonly options: ResultsInLogOptions) {
    this.reads = options.metrics.counter(
      'telltale_status_view_results_read_total',
      'Results that this edge does not keep: read from Kafka, or not readable there.',
      ['outcome'],
    );
  }

  /** The entry with the result; undefined if its record can't be read, or is not the right one. */
  async entryOf(partition: number, taskId: string, reference: Buffer): Promise<Buffer | undefined> {
    const offset = offsetIn(reference);
    const status = await this.statusAt(partition, offset).catch((error: unknown) => {
      this.options.logger.warn(
        { event: 'result-not-read', partition, offset, reason: reasonOf(error) },
        'a result could not be read from Kafka',
      );
      return undefined;
    });
    const isRight = status?.task_id === taskId && matchesReference(status, reference);
    this.reads.inc({ outcome: isRight ? 'read' : 'failed' });
    return isRight ? encodeEntry(status) : undefined;
  }

  private async statusAt(partition: number, offset: number): Promise<TaskStatus | undefined> {
    const { records, codec } = this.options;
    const record = await records.read(partition, offset);
    return record?.value ? codec.decode(record.value) : undefined;
  }
}
