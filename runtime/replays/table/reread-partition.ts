import { TelltaleError } from '../../errors.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import { readLog } from '../../kafka/consume/read-log.js';
import type { Appender } from '../../kafka/produce/appender.js';
import type { Logger } from '../../logging.js';
import { createMetrics } from '../../metrics.js';
import type { WriterSchemas } from '../../registry/writer-schemas.js';
import type { Sink } from '../../sink.js';
import type { SinkEnvironment } from '../../sink/environment.js';
import type { CommitMetadata } from '../../sink/intent.js';
import { PartitionSink } from '../../sink/partition-sink.js';
import type { Commit } from '../../sink/partition-work.js';
import { dropLeftovers } from '../../sink/refused-records.js';
import { sinkMetrics } from '../../sink/sink-metrics.js';
import type { PartitionPlan } from './table-plan.js';

export interface RereadOptions {
  readonly sink: Sink;
  readonly schemas: WriterSchemas;
  readonly clickhouse: SinkEnvironment['clickhouse'];
  readonly deadLetters: Pick<Appender, 'append'>;
  readonly kafka: KafkaAccess;
  readonly plan: PartitionPlan;
  /** The position of a predecessor; undefined at the start. */
  readonly at: { readonly offset: number; readonly metadata: CommitMetadata } | undefined;
  readonly commit: Commit;
  readonly tokenPrefix?: string;
  readonly logger: Logger;
  /** Counts this many more records as done; resolves once more may be read. */
  readonly did: (records: number) => Promise<void>;
}

/** Worth some seconds: a server short of memory can recover; a mapping that does not fit the table can't. */
const mostRefusals = 6;
const limits = { records: 20_000, bytes: 16 * 1024 * 1024 } as const;
const fetchBytes = 4 * 1024 * 1024;

/**
 * Reads one partition into a table as its sink does: the intent of a range is committed before the range is
 * inserted, under a token that a successor uses again. Only the commits go elsewhere: to the state of the
 * replay. Rejects with RECORDS_EXPIRED if retention overtakes it, after it has committed what it had read.
 */
export async function rereadPartition(options: RereadOptions): Promise<void> {
  const { sink, plan, at, commit, did } = options;
  const never = new AbortController().signal;
  const environment: SinkEnvironment = {
    sink,
    schemas: options.schemas,
    clickhouse: options.clickhouse,
    deadLetters: options.deadLetters,
    groupId: 'replay',
    tokenPrefix: options.tokenPrefix ?? '',
    limits,
    mostRefusals,
    logger: options.logger,
    metrics: sinkMetrics(createMetrics(), sink.name),
    progressed: () => undefined,
  };
  if (at !== undefined) await dropLeftovers(environment, plan.partition);
  const from = at?.offset ?? plan.from;
  const anew = new PartitionSink(
    environment,
    plan.partition,
    { ended: never, check: () => undefined },
    {
      next: from,
      previous: at?.metadata.previous ?? plan.previous,
      run: plan.run,
      intent: at?.metadata.intent,
    },
  );
  let reached = from;
  await readLog({
    topic: sink.from.name,
    kafka: options.kafka,
    wantsAll: true,
    ranges: new Map([[plan.partition, { from, to: plan.to }]]),
    maxBytesPerPartition: fetchBytes,
    async take(_, records) {
      const last = records.at(-1);
      if (last === undefined) return;
      reached = last.offset + 1;
      await anew.take({ records, end: reached, last: false }, commit);
      await did(records.length);
    },
  }).catch(async (error: unknown) => {
    if (isExpired(error)) await anew.take({ records: [], end: reached, last: true }, commit);
    throw error;
  });
  await anew.take({ records: [], end: plan.to, last: true }, commit);
}

/** Whether retention has removed records that were still to be read. */
export const isExpired = (error: unknown): boolean =>
  error instanceof TelltaleError && error.code === 'RECORDS_EXPIRED';
