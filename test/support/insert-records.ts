import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { createCodec } from '../../runtime/registry/codec.js';
import { readSchema } from '../../runtime/registry/registry.js';
import type { Sink } from '../../runtime/sink.js';
import { avroContainer } from '../../runtime/sink/avro-container.js';
import type { WriterSchema } from '../../runtime/registry/writer-schemas.js';
import { logRecord } from './log-records.js';

/** A value of the topic, and its Kafka timestamp in milliseconds since 1970. */
export interface RecordToInsert {
  readonly value: Buffer;
  readonly offset: number;
  readonly timestamp: number | string;
}

export interface Destination {
  readonly token: string;
  readonly topic?: string;
  readonly partition?: number;
  readonly run?: string;
  readonly previous?: number;
  readonly table?: string;
  /** The schema of the values, if it is not the sink's own. */
  readonly schema?: WriterSchema;
  /** The statement, to fill more columns than the sink does. */
  readonly statement?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Inserts records like the sink's loop, without Kafka. */
export async function insertRecords(
  clickhouse: Pick<ClickHouse, 'insertAvro'>,
  sink: Sink,
  records: readonly RecordToInsert[],
  destination: Destination,
): Promise<void> {
  const { token, previous = -1, table = sink.table, statement = sink.insert } = destination;
  const { schema = schemaOf(sink) } = destination;
  const stored = records.map(({ value, offset, timestamp }) => ({
    ...{ kind: 'stored' as const, offset, value, schema },
    source: logRecord(offset, value, { timestamp: Number(timestamp) }),
  }));
  const parameters = {
    table: table.slice(table.indexOf('.') + 1),
    topic: destination.topic ?? sink.from.name,
    partition: destination.partition ?? 0,
    run: destination.run ?? 'r',
    ...destination.more,
  };
  await clickhouse.insertAvro(statement, parameters, avroContainer(schema, stored, previous), token);
}

const schemaOf = ({ from }: Sink): WriterSchema => ({
  id: 1,
  ...(JSON.parse(readSchema(from.value.schema)) as Omit<WriterSchema, 'id'>),
});

/** Encodes values of a sink's topic without a registry. */
export function encoderOf({ from }: Sink): (value: unknown) => Buffer {
  const none = { schemaOf: () => Promise.resolve(undefined) };
  const codec = createCodec(from.name, readSchema(from.value.schema), 1, none);
  return (value) => codec.encode(value);
}
