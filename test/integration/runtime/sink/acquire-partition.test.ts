import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import { acquirePartition } from '../../../../runtime/sink/acquire-partition.js';
import type { SinkEnvironment } from '../../../../runtime/sink/environment.js';
import { encodeMetadata } from '../../../../runtime/sink/intent.js';
import { PartitionWork } from '../../../../runtime/sink/partition-work.js';
import { insertRange } from '../../../../runtime/sink/range-insert.js';
import { rangeOf } from '../../../../runtime/sink/record-range.js';
import { sinkMetrics } from '../../../../runtime/sink/sink-metrics.js';
import type { StartingPoint } from '../../../../runtime/sink/starting-point.js';
import { eventsSink } from '../../../../sinks/events/index.js';
import { migrateTables } from '../../../support/applied.js';
import { logRecord } from '../../../support/log-records.js';
import { theStack } from '../../../support/stack.js';

const partitions = 4;
/** The last part is small: recent rows are not merged yet. */
const rowsOfParts = [100_000, 100_000, 100_000, 4_000];
const logEnd = 304_000 / partitions;

describe('acquiring a partition of a large table', () => {
  let clickhouse: ClickHouse;
  let environment: SinkEnvironment;
  /** The rows that ClickHouse has to read for each query of the table. */
  let toRead: number[];
  const table = `telltale.acquired_${randomUUID().slice(0, 8)}`;
  const assignment = { check: () => undefined, ended: new AbortController().signal };

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    // Created as a replay creates a table that it rebuilds.
    await clickhouse.command(`CREATE TABLE ${table} AS ${eventsSink.table}`);
    let stored = 0;
    for (const rows of rowsOfParts) {
      await clickhouse.command(
        `INSERT INTO ${table} (workspace, metric, occurred_at, _topic, _run, _partition, _offset)
         SELECT 'w', toString(number % 40), now(), '${eventsSink.from.name}', 'r', number % ${partitions},
           intDiv(${stored} + number, ${partitions})
         FROM numbers(${rows})`,
      );
      stored += rows;
    }
    environment = {
      sink: { ...eventsSink, table },
      clickhouse: {
        ...clickhouse,
        insertAvro: () => Promise.resolve(),
        async longQuery<Row>(
          sql: string,
          parameters: Readonly<Record<string, unknown>>,
          signal: AbortSignal,
        ) {
          const estimated = await clickhouse.query<{ table: string; rows: string }>(
            `EXPLAIN ESTIMATE ${sql}`,
            parameters,
          );
          toRead.push(estimated.reduce((sum, { rows }) => sum + Number(rows), 0));
          return clickhouse.longQuery<Row>(sql, parameters, signal);
        },
      },
      logger: silentLogger,
      metrics: sinkMetrics(createMetrics(), 'acquired'),
      progressed: () => undefined,
    } as unknown as SinkEnvironment;
  });
  beforeEach(() => {
    toRead = [];
  });
  after(async () => {
    await clickhouse.command(`DROP TABLE IF EXISTS ${table}`);
    await clickhouse.close();
  });

  const acquire = (committed: number, metadata: string | null, logStart = 0): Promise<StartingPoint> =>
    acquirePartition(
      environment,
      {
        position: () => Promise.resolve({ committed, metadata, logStart, logEnd }),
        topicId: () => Promise.resolve(undefined),
      },
      1,
      assignment,
    );
  const readLittle = (): void => {
    assert.ok(toRead.length > 0);
    for (const rows of toRead) assert.ok(rows <= 4_000, `${rows} rows`);
  };

  it('reads little of it after the commit of a sink', async () => {
    const start = await acquire(logEnd, encodeMetadata({ run: 'r', previous: logEnd - 1 }));
    assert.deepEqual(start, { next: logEnd, previous: logEnd - 1, run: 'r', intent: undefined });
    readLittle();
  });

  it('finds each row that is newer than a stale commit', async () => {
    const start = await acquire(logEnd - 10, encodeMetadata({ run: 'r', previous: logEnd - 11 }));
    assert.equal(start.remark, 'committed-offset-is-stale');
    assert.deepEqual([start.next, start.previous], [logEnd, logEnd - 1]);
    readLittle();
  });

  it('reads the part in the log if the position is lost, and all rows only if they are older than the log', async () => {
    const lost = {
      next: logEnd,
      previous: logEnd - 1,
      run: 'r',
      intent: undefined,
      remark: 'position-is-lost',
    };
    assert.deepEqual(await acquire(-1, null, logEnd - 100), lost);
    readLittle();
    const past = await acquire(-1, null, logEnd);
    assert.deepEqual(past, lost);
  });

  it('continues the chain from the last row if a tool has moved the group', async () => {
    assert.equal((await acquire(logEnd + 5, null)).previous, logEnd - 1);
  });

  it('reads little of it to know whether an intended range is stored', async () => {
    const from = logEnd - 20;
    const schema = { id: 1, name: 'Event', fields: [] };
    const range = rangeOf(
      Array.from({ length: 20 }, (_, index) => ({
        kind: 'stored' as const,
        offset: from + index,
        schema,
        value: Buffer.alloc(5),
        source: logRecord(from + index, Buffer.alloc(5)),
      })),
    );
    const work = new PartitionWork(environment, 1, assignment, 'r');
    await insertRange(
      work,
      { range, from, previous: from - 1, intent: { hi: logEnd - 1, skip: [] }, again: true },
      () => Promise.resolve(),
    );
    readLittle();
  });
});
