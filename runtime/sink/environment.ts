import type { ClickHouse } from '../clickhouse/client.js';
import { reasonOf, TelltaleError, type ErrorCode } from '../errors.js';
import type { Appender } from '../kafka/produce/appender.js';
import { Backoff, pause } from '../backoff.js';
import type { Logger } from '../logging.js';
import type { WriterSchemas } from '../registry/writer-schemas.js';
import type { Sink } from '../sink.js';
import type { SinkMetrics } from './sink-metrics.js';

/** What the parts of one running sink share. */
export interface SinkEnvironment {
  readonly sink: Sink;
  readonly schemas: WriterSchemas;
  readonly clickhouse: Pick<ClickHouse, 'insertAvro' | 'query' | 'command'>;
  readonly deadLetters: Pick<Appender, 'append'>;
  readonly groupId: string;
  /** Begins the tokens of work that is not the sink's own: the same range may be inserted again. */
  readonly tokenPrefix?: string;
  readonly limits: RangeLimits;
  /** How often in a row ClickHouse may refuse the same work. A sink goes on trying: an operator mends the table. */
  readonly mostRefusals?: number;
  readonly logger: Logger;
  readonly metrics: SinkMetrics;
  /** Something moved, or something known is being waited for. */
  readonly progressed: () => void;
}

/** A range is closed at either of them, where the writer's schema changes, and at the end of what one fetch brought. */
interface RangeLimits {
  readonly records: number;
  readonly bytes: number;
}

/** The right to work on a partition, which a rebalance, or the end of the process, takes away. */
export interface Assignment {
  /** Throws PartitionLost where the right has gone. */
  check(): void;
  readonly ended: AbortSignal;
}

/** The partition is another's now: what was under way is dropped, and its owner takes it up from the commit. */
export class PartitionLost extends Error {
  constructor() {
    super('the partition was taken away');
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

/** Does the work until no dependency is away any more, however long that takes; gives up with the assignment, or where it may. */
export async function retryUntilAvailable<Result>(
  { sink, logger, metrics, progressed, mostRefusals = Infinity }: SinkEnvironment,
  assignment: Assignment,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const backoff = new Backoff(100, 10_000);
  let refusals = 0;
  for (;;) {
    assignment.check();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TelltaleError) || !outages.has(error.code)) throw error;
      refusals = error.code === 'CLICKHOUSE_REFUSED' ? refusals + 1 : 0;
      if (refusals > mostRefusals) throw error;
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
        'a dependency is away: waiting',
      );
      await pause(ms, assignment.ended);
    }
  }
}
