import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { readSchema } from '../../../runtime/registry/registry.js';
import type { WriterSchema } from '../../../runtime/registry/writer-schemas.js';
import type { Sink } from '../../../runtime/sink.js';
import * as clusters from '../../../sinks/clusters/tables.js';
import { eventsSink } from '../../../sinks/events/index.js';
import { scoringResultsSink } from '../../../sinks/scoring-results/index.js';
import { spansSink } from '../../../sinks/spans/index.js';
import type { ClusterRows } from '../../../schemas/generated/cluster-rows.js';
import type { ScoringResult } from '../../../schemas/generated/scoring-result.js';
import { migrateTables } from '../../support/applied.js';
import { encoderOf, insertRecords } from '../../support/insert-records.js';
import { theStack } from '../../support/stack.js';

interface Line {
  readonly record?: { readonly offset: number; readonly timestamp: string; readonly value: string };
  readonly row?: Readonly<Record<string, unknown>>;
}

const wireHeader = Buffer.alloc(5);
const partition = 3;

/** Generated Avro records of a topic, and the expected rows: all columns, in ClickHouse's form. */
function samplesOf(table: string) {
  const file = `test/fixtures/sinks/${table.replace('telltale.', '')}.ndjson`;
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const records = lines.flatMap(({ record }) => record ?? []);
  return {
    records: records.map(({ value, ...at }) => ({
      ...at,
      value: Buffer.concat([wireHeader, Buffer.from(value, 'base64')]),
    })),
    rows: lines.flatMap(({ row }) => row ?? []),
  };
}

describe('the mapping of a sink', () => {
  let clickhouse: ClickHouse;

  before(async () => {
    const stack = await theStack();
    await migrateTables(stack);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  });
  after(() => clickhouse.close());

  for (const sink of [scoringResultsSink, eventsSink, spansSink, ...Object.values(clusters)]) {
    it(`fills every column of ${sink.table}`, async () => {
      const { records, rows } = samplesOf(sink.table);
      const table = `${sink.table}_${randomUUID().slice(0, 8)}`;
      await clickhouse.command(`CREATE TABLE ${table} AS ${sink.table}`);
      try {
        // Its rows are old, and some have already expired.
        await clickhouse.command(`ALTER TABLE ${table} REMOVE TTL`);
        await insertRecords(clickhouse, sink, records, { table, partition, token: table });
        const place = sink.rowsPerRecord === 'several' ? ', _index' : '';
        const stored = await clickhouse.query(
          `SELECT * EXCEPT inserted_at FROM ${table} ORDER BY _offset${place}
           SETTINGS output_format_json_quote_64bit_integers = 1`,
        );
        assert.deepEqual(stored, rows);
      } finally {
        await clickhouse.command(`DROP TABLE ${table}`);
      }
    });
  }

  it('stores what processors of an earlier and of a later version wrote', async () => {
    const places = { prompt: { start: 1, end: 3 } };
    const before = JSON.parse(readFileSync('schemas/history/scoring-result/2.avsc', 'utf8')) as WriterSchema;
    const now = JSON.parse(readSchema('scoring-result')) as WriterSchema;
    const more = { name: 'later', type: { type: 'map', values: 'double' } };
    const later = { ...now, fields: [...now.fields, more] };
    for (const [schema, expected] of [
      [before, {}],
      [later, places],
    ] as const) {
      const type = avsc.Type.forSchema({ ...schema, type: 'record' } as avsc.Schema);
      const id = randomUUID();
      const value = type.toBuffer({ ...plain, id, pattern_places: places, later: { a: 1 } });
      const record = { offset: 1, timestamp: 0, value: Buffer.concat([wireHeader, value]) };
      await insertRecords(clickhouse, scoringResultsSink, [record], { token: id, run: id, schema });
      const stored = await clickhouse.query(
        `SELECT prompt, pattern_places FROM telltale.scoring_results WHERE task_id = '${id}'`,
      );
      assert.deepEqual(stored, [{ prompt: 'p', pattern_places: expected }]);
    }
  });

  it('refuses a record whose JSON ClickHouse cannot read, or that would have no row', async () => {
    const refused = async (sink: Sink, value: Buffer): Promise<void> => {
      const record = { offset: 1, timestamp: 0, value };
      const inserting = insertRecords(clickhouse, sink, [record], { token: randomUUID() });
      await assert.rejects(inserting, { code: 'ROWS_REJECTED' });
    };
    for (const metrics of ['no JSON', '["no object"]', String.raw`{"hallucination":{"response":"\ud800"}}`])
      await refused(scoringResultsSink, encodeResult({ ...plain, metrics }));
    for (const rows of ['no JSON', '[]', '{}'])
      await refused(clusters.clusterNodesSink, encodeRows({ ...snapshot, rows }));
  });
});

const encodeResult = encoderOf(scoringResultsSink);
const plain: ScoringResult = {
  ...{ id: randomUUID(), workspace: 'w', key_id: 'k', lane: 'task', metric: 'm', prompt: 'p' },
  ...{ response: null, metrics: null, error: null, scorer_versions: {} },
  ...{ accepted_at: 0, appended_at: 0, taken_at: 0, scored_at: 0, version: 0, pattern_places: {} },
};

const encodeRows = encoderOf(clusters.clusterNodesSink);
const snapshot: ClusterRows = {
  ...{ id: 's', workspace: 'w', cluster_uuid: 'u', cluster_name: null, cluster_version: null },
  ...{ section: 'nodes', slot: 0, interval_seconds: 60, taken_at: 0, reporter: null, part: 1, parts: 1 },
  ...{ partial: false, unavailable: [], rows: '[]' },
};
