import { z } from 'zod';
import type { ClickHouse } from '../../clickhouse/client.js';
import type { KafkaAccess } from '../../kafka/client/kafka-access.js';
import type { Logger } from '../../logging.js';
import type { WriterSchemas } from '../../registry/writer-schemas.js';
import type { Sink } from '../../sink.js';
import type { CommitMetadata } from '../../sink/intent.js';
import type { TakenReplay } from '../replay-log.js';
import { rereadPartition } from '../table/reread-partition.js';
import { partitionPlan, position } from '../table/table-progress.js';

const form = z.object({
  gaps: z.array(partitionPlan),
  /** How many of them are filled. */
  filled: z.number(),
  /** The position in the next one, as a sink commits it. */
  at: position.nullable(),
});

type RepairProgress = z.output<typeof form>;

export const repairBegun = (gaps: RepairProgress['gaps']): string =>
  JSON.stringify({ gaps, filled: 0, at: null } satisfies RepairProgress);

export interface RepairOptions {
  readonly access: KafkaAccess;
  readonly clickhouse: ClickHouse;
  readonly schemas: WriterSchemas;
  readonly sink: Sink;
  readonly taken: TakenReplay;
  readonly logger: Logger;
}

/**
 * Fills gaps of a table as its sink would: the intent of a range is committed to the state of the repair
 * before the range is inserted. A successor of a killed repair inserts the same range under the same token.
 * The token belongs to this repair alone, because the sink might have inserted the lost range once.
 */
export async function fillGaps(options: RepairOptions): Promise<void> {
  const { taken } = options;
  const progress = (): RepairProgress => form.parse(JSON.parse(taken.state.progress));
  const write = (change: Partial<RepairProgress>, records = 0): Promise<void> =>
    taken.commit([], {
      ...taken.state,
      progress: JSON.stringify({ ...progress(), ...change }),
      records: taken.state.records + records,
    });
  const { gaps, filled } = progress();
  for (const [index, plan] of gaps.entries()) {
    if (index < filled) continue;
    const { at } = progress();
    await rereadPartition({
      ...options,
      kafka: options.access,
      tokenPrefix: `repair-${taken.state.created_at}:`,
      plan,
      at: at === null ? undefined : { offset: at.offset, metadata: metadataOf(at.metadata) },
      deadLetters: { append: (...letters) => taken.commit(letters.flat(), taken.state) },
      commit: (offset, { run, previous, intent }) =>
        write({
          at: {
            offset,
            metadata: {
              run,
              previous,
              ...(intent === undefined ? {} : { intent: { hi: intent.hi, skip: [...intent.skip] } }),
            },
          },
        }),
      did: () => Promise.resolve(),
    });
    await write({ filled: index + 1, at: null }, plan.to - plan.from);
  }
}

function metadataOf({ run, previous, intent }: z.output<typeof position>['metadata']): CommitMetadata {
  return intent === undefined ? { run, previous } : { run, previous, intent };
}
