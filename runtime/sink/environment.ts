import type { ClickHouse } from '../clickhouse/client.js';
import { reasonOf, TelltaleError, type ErrorCode } from '../errors.js';
import type { Appender } from '../kafka/produce/appender.js';
import { Backoff, pause, unlessAborted } from '../backoff.js';
import type { Logger } from '../logging.js';
import type { WriterSchemas } from '../registry/writer-schemas.js';
import type { Sink } from '../sink.js';
import type { SinkMetrics } from './sink-metrics.js';

/** What the components of one running sink share. */
export interface SinkEnvironment {
  readonly sink: Sink;
  readonly schemas: WriterSchemas;
  readonly clickhouse: Pick<ClickHouse, 'insertAvro' | 'query' | 'longQuery' | 'command'>;
  readonly deadLetters: Pick<Appender, 'append'>;
  readonly groupId: string;
  /** Prefixes the tokens of work that is not the sink's own, because the sink may have inserted the same range. */
  readonly tokenPrefix?: string;
  readonly limits: RangeLimits;
  /**
   * How often in a row ClickHouse may refuse the same work. A sink retries without a limit: an operator repairs the
   * table.
   */
  readonly mostRefusals?: number;
  readonly logger: Logger;
  readonly metrics: SinkMetrics;
  /** To be called on progress, and while waiting for a known dependency. */
  readonly progressed: () => void;
  /** Once it is aborted, work in progress continues, but no longer waits for an unavailable dependency. */
  readonly stopping?: AbortSignal;
  /** Aborted with PartitionLost, to abandon work in progress: the partition's next owner does it again. */
  readonly abandoned?: AbortSignal;
}

/** A range is closed at either limit, when the writer's schema changes, and at the end of a fetch. */
interface RangeLimits {
  readonly records: number;
  readonly bytes: number;
}

/** The right of this process to work on a partition, until a rebalance or the end of the process. */
export interface Assignment {
  /** Throws PartitionLost if the assignment has ended. */
  check(): void;
  /** Aborted with PartitionLost. */
  readonly ended: AbortSignal;
}

/**
 * Another member has the partition now, or will have it because this process stops. The work in progress is
 * dropped, and that member continues from the commit.
 */
export class PartitionLost extends Error {
  constructor() {
    super('the partition was revoked');
    this.name = 'PartitionLost';
  }
}

const outages: ReadonlySet<ErrorCode> = new Set([
  'CLICKHOUSE_UNREACHABLE',
  'CLICKHOUSE_REFUSED',
  'REGISTRY_UNREACHABLE',
  'KAFKA_UNREACHABLE',
  'APPEND_FAILED',
  'APPEND_TIMED_OUT',
  'BUFFER_FULL',
]);

/**
 * Repeats the work until every dependency is available, however long that takes. Stops when the assignment
 * ends, at the limit of refusals, or, if the process is stopping, after a last try.
 */
export async function retryUntilAvailable<Result>(
  { sink, logger, metrics, progressed, mostRefusals = Infinity, stopping, abandoned }: SinkEnvironment,
  assignment: Assignment,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const backoff = new Backoff(100, 10_000);
  const ends = stopping === undefined ? [assignment.ended] : [assignment.ended, stopping];
  let refusals = 0;
  for (;;) {
    assignment.check();
    try {
      abandoned?.throwIfAborted();
      return await unlessAborted(Promise.resolve(work()), abandoned);
    } catch (error) {
      if (!(error instanceof TelltaleError) || !outages.has(error.code)) throw error;
      refusals = error.code === 'CLICKHOUSE_REFUSED' ? refusals + 1 : 0;
      if (refusals > mostRefusals || stopping?.aborted === true) throw error;
      const ms = backoff.next();
      metrics.retry();
      progressed();
      logger.warn(
        {
          event: 'dependency-away',
          sink: sink.name,
          code: error.code,
          reason: reasonOf(error),
          retryInMs: Math.round(ms),
        },
        'a dependency is unavailable: waiting',
      );
      await pause(ms, AbortSignal.any(ends));
    }
  }
}
