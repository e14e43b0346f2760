import { deadLetterRecord } from '../kafka/dead-letter.js';
import { patiently, type SinkEnvironment, type Tenure } from './environment.js';
import type { CommitMetadata } from './intent.js';
import { recordOf } from './row-of.js';
import { RowRange, type Provenance } from './row-range.js';
import type { DeadRecord, SinkRecord, SourceMessage } from './sink-record.js';

/** Commits an offset of this partition with its metadata; rejects with PartitionLost once the tenure has ended. */
export type Commit = (offset: number, metadata: CommitMetadata) => Promise<void>;

/** What the parts of one partition's sink share, from one assignment to the next. */
export class PartitionWork<In> {
  readonly provenance: Provenance;

  constructor(
    readonly environment: SinkEnvironment<In>,
    readonly partition: number,
    readonly tenure: Tenure,
    readonly run: string,
  ) {
    const { sink } = environment;
    this.provenance = { topic: sink.from.name, partition, run, indexed: 'rows' in sink };
  }

  patiently<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return patiently(this.environment, this.tenure, work);
  }

  recordOf(message: SourceMessage): SinkRecord | Promise<SinkRecord> {
    return recordOf(this.environment, this.partition, message, this.tenure);
  }

  emptyRange(previous: number): RowRange {
    return new RowRange(this.provenance, previous);
  }

  /** Makes the rows of records anew, behind another row: they are a function of their records. */
  async rangeOf(messages: readonly SourceMessage[], previous: number): Promise<RowRange> {
    const range = this.emptyRange(previous);
    for (const message of messages) range.add(await this.recordOf(message));
    return range;
  }

  /** The same range behind `previous`: itself where it was made so. */
  async chainedTo(range: RowRange, previous: number): Promise<RowRange> {
    if (range.previous === previous) return range;
    const anew = await this.rangeOf(range.sources, previous);
    for (const dead of range.dead) anew.add(dead);
    if (range.end !== undefined) anew.leaveOut(range.end);
    return anew;
  }

  /** Appends dead letters; resolves once they are durable. */
  async bury(dead: readonly DeadRecord[]): Promise<void> {
    if (dead.length === 0) return;
    const { environment, partition } = this;
    const { sink, deadLetters, metrics, logger } = environment;
    const letters = dead.map(({ offset, letter }) =>
      deadLetterRecord({ topic: sink.from.name, partition, offset, stage: sink.name, ...letter }),
    );
    await this.patiently(() => deadLetters.append(letters));
    for (const { offset, letter } of dead) {
      metrics.deadLetter(letter.code);
      logger.error(
        { sink: sink.name, partition, offset, code: letter.code, reason: letter.reason },
        'dead letter',
      );
    }
  }
}
