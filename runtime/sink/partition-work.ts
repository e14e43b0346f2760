import { deadLetterRecord } from '../dead-letters/dead-letter.js';
import type { LogRecord } from '../kafka/protocol/record-batches.js';
import type { WriterSchema } from '../registry/writer-schemas.js';
import { queryTable } from './query-table.js';
import { avroContainer } from './avro-container.js';
import { retryUntilAvailable, type SinkEnvironment, type Assignment } from './environment.js';
import type { CommitMetadata } from './intent.js';
import { recordOf } from './record-of.js';
import type { DeadRecord, SinkRecord, StoredRecord } from './sink-record.js';

/** Commits an offset of this partition with its metadata; rejects with PartitionLost once the assignment has ended. */
export type Commit = (offset: number, metadata: CommitMetadata) => Promise<void>;

export interface Batch {
  readonly schema: WriterSchema;
  readonly records: readonly StoredRecord[];
  /** Offset of the stored record before them; -1 if there is none. */
  readonly previous: number;
}

/** What the components of one partition's sink share, from one assignment to the next. */
export class PartitionWork {
  constructor(
    readonly environment: SinkEnvironment,
    readonly partition: number,
    private readonly assignment: Assignment,
    /** Names the run of the log that the offsets belong to. */
    readonly run: string,
  ) {}

  retryUntilAvailable<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return retryUntilAvailable(this.environment, this.assignment, work);
  }

  queryTable<Row>(sql: string, parameters: Readonly<Record<string, unknown>>): Promise<readonly Row[]> {
    return queryTable(this.environment, this.assignment, sql, parameters);
  }

  recordOf(record: LogRecord): SinkRecord | Promise<SinkRecord> {
    return recordOf(this.environment, record, this.assignment);
  }

  /**
   * Inserts the rows of records that were written with one schema, after the record `previous`; returns their bytes.
   */
  async insert(table: string, { schema, records, previous }: Batch, token: string): Promise<number> {
    const { sink, clickhouse } = this.environment;
    const container = avroContainer(schema, records, previous);
    const parameters = {
      table: table.slice(table.indexOf('.') + 1),
      topic: sink.from.name,
      partition: this.partition,
      run: this.run,
    };
    await this.retryUntilAvailable(() => clickhouse.insertAvro(sink.insert, parameters, container, token));
    return container.length;
  }

  /** Appends dead letters; resolves once they are durable. */
  async writeDeadLetters(dead: readonly DeadRecord[]): Promise<void> {
    if (dead.length === 0) return;
    const { environment, partition } = this;
    const { sink, deadLetters, metrics, logger } = environment;
    const letters = dead.map(({ offset, letter }) =>
      deadLetterRecord({ topic: sink.from.name, partition, offset, stage: sink.name, ...letter }),
    );
    await this.retryUntilAvailable(() => deadLetters.append(letters));
    for (const { offset, letter } of dead) {
      metrics.deadLetter(letter.code);
      logger.error(
        {
          event: 'dead-letter-written',
          sink: sink.name,
          partition,
          offset,
          code: letter.code,
          reason: letter.reason,
        },
        'dead letter',
      );
    }
  }
}
