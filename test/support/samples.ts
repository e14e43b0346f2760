import avsc from 'avsc';
import { writerSchemas, type WriterSchemas } from '../../runtime/registry/writer-schemas.js';
import type { Sink } from '../../runtime/sink.js';
import { avro, deleteAfter, topic } from '../../topics/topic.js';

/** A record for the sinks of these tests. Its kind can make ClickHouse refuse it. */
export interface Sample {
  readonly id: number;
  readonly kind?: 'refused';
  readonly padding?: string;
}

const fields = [
  { name: 'id', type: 'long' },
  { name: 'kind', type: 'string', default: '' },
];
const versions = [
  { type: 'record', name: 'Sample', fields },
  { type: 'record', name: 'Sample', fields: [...fields, { name: 'padding', type: 'string', default: '' }] },
] as const;
const types = versions.map((schema) => avsc.Type.forSchema(schema as avsc.Schema));
const newest = versions.length - 1;

/** A sample as bytes of a topic, by the first or the newest version of its schema; the version is the schema's id. */
export function sampleBytes({ id, kind, padding = '' }: Sample, version = newest): Buffer {
  const header = Buffer.alloc(5);
  header.writeInt32BE(version, 1);
  return Buffer.concat([
    header,
    types[version]?.toBuffer({ id, kind: kind ?? '', padding }) ?? Buffer.alloc(0),
  ]);
}

export const sampleSchemas = (topicName: string): WriterSchemas =>
  writerSchemas(topicName, JSON.stringify(versions[newest]), newest, {
    schemaOf: (id) => Promise.resolve(id in versions ? JSON.stringify(versions[id]) : undefined),
  });

/** Each record becomes this many rows; one, without `_index`, unless given. */
export function sampleSink(options: {
  readonly topic: string;
  readonly table: string;
  readonly partitions: number;
  readonly rowsPerRecord?: number;
}): Sink {
  const { topic: name, table, partitions, rowsPerRecord } = options;
  return {
    name,
    from: topic<Sample>({
      name,
      key: 'task id',
      value: avro<Sample>('sample'),
      partitions,
      cleanup: deleteAfter({ days: 1 }),
      owner: 'test',
    }),
    table,
    rowsPerRecord: rowsPerRecord === undefined ? 'one' : 'several',
    insert: insertOf(rowsPerRecord),
  };
}

function insertOf(rowsPerRecord: number | undefined): string {
  const [columns, values, join] =
    rowsPerRecord === undefined
      ? ['', '', '']
      : [', _index, _rows', `, place, ${rowsPerRecord}`, `ARRAY JOIN range(${rowsPerRecord}) AS place`];
  return `INSERT INTO telltale.{table:Identifier}
    (id, month, _topic, _partition, _run, _offset, _previous_offset${columns})
    SELECT id, 1 + id % 2, {topic:String}, {partition:UInt16}, {run:String}, _offset, _previous_offset${values}
    FROM (
      SELECT * FROM input('_offset UInt64, _previous_offset Int64, id UInt32, kind String')
      WHERE NOT throwIf(kind = 'refused', 'it is refused')
    )
    ${join} FORMAT Avro`;
}
