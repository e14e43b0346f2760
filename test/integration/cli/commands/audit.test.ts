import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import { scoringResultsSink } from '../../../../sinks/scoring-results/index.js';
import { emptyInPlaceOf } from '../../../support/own-table.js';
import { rowOfResult } from '../../../support/result-rows.js';
import { runTelltale, stackEnvironment } from '../../../support/roles.js';
import { theStack } from '../../../support/stack.js';

const now = Date.now() * 1_000;

function row(partition: number, offset: number, previous: number): string {
  const result = {
    id: randomUUID(),
    workspace: 'harbour',
    key_id: 'k1',
    lane: 'task',
    metric: 'text_sentiment',
    prompt: 'All well.',
    response: null,
    metrics: null,
    error: 'no model',
    scorer_versions: {},
    accepted_at: now,
    appended_at: now,
    taken_at: now,
    scored_at: now,
  };
  return rowOfResult(result, { partition, offset, previous, resultAppendedAt: now });
}

describe('telltale audit', () => {
  let environment: Readonly<Record<string, string>>;
  let clickhouse: ClickHouse;
  let putBack: (() => Promise<void>) | undefined;

  const insert = (...rows: readonly string[]): Promise<void> =>
    clickhouse.insert(scoringResultsSink.table, Buffer.from(rows.join('')), randomUUID());

  before(async () => {
    const stack = await theStack();
    environment = stackEnvironment(stack);
    await runTelltale(['migrate'], environment);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  });

  beforeEach(async () => {
    putBack = await emptyInPlaceOf(clickhouse, scoringResultsSink.table);
    // Offsets that control records have taken are no gaps: each row names the record before it.
    await insert(row(0, 0, -1), row(0, 1, 0), row(0, 3, 1), row(0, 9, 3), row(1, 7, -1), row(1, 8, 7));
  });

  afterEach(async () => putBack?.());
  after(async () => clickhouse.close());

  it('finds nothing wrong where every record is there once, whatever offsets are missing', async () => {
    assert.equal(await runTelltale(['audit', '--json'], environment), '{"duplicates":0,"gaps":0}\n');
    assert.match(
      await runTelltale(['audit'], environment),
      /telltale\.scoring_results, .*: 0 duplicates, 0 gaps/,
    );
  });

  it('counts every copy beyond the first, and fails', async () => {
    await insert(row(0, 9, 3));
    await insert(row(0, 9, 3), row(1, 7, -1));
    await assert.rejects(runTelltale(['audit', '--json'], environment), {
      message: /exited with 1:\n\{"duplicates":3,"gaps":0\}/,
    });
  });

  it('counts every record whose predecessor is missing, and fails', async () => {
    await insert(row(0, 14, 12), row(1, 10, 9));
    await assert.rejects(runTelltale(['audit', '--json'], environment), {
      message: /exited with 1:\n\{"duplicates":0,"gaps":2\}/,
    });
  });

  it('does not take a row of another partition for the missing one', async () => {
    await insert(row(1, 20, 9));
    await assert.rejects(runTelltale(['audit'], environment), { message: /0 duplicates, 1 gaps/ });
  });
});
