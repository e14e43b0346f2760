import avsc from 'avsc';
import { headerBytes } from '../registry/by-writer.js';
import type { WriterSchema } from '../registry/writer-schemas.js';
import type { StoredRecord } from './sink-record.js';

/** The fields before those of the record. */
const origin = [
  { name: '_offset', type: 'long' },
  { name: '_previous_offset', type: 'long' },
  { name: '_appended_at', type: { type: 'long', logicalType: 'timestamp-millis' } },
];
const originType = avsc.Type.forSchema({ type: 'record', name: 'Origin', fields: origin } as avsc.Schema);
/** Three longs of at most ten bytes. */
const originBytes = 30;

const fileHeader = avsc.Type.forSchema({
  type: 'record',
  name: 'Header',
  fields: [
    { name: 'magic', type: { type: 'fixed', name: 'Magic', size: 4 } },
    { name: 'meta', type: { type: 'map', values: 'bytes' } },
    { name: 'sync', type: { type: 'fixed', name: 'Sync', size: 16 } },
  ],
});
const magic = Buffer.from('Obj\u0001');
/** The same in all files, because the same records have to give the same bytes. */
const sync = Buffer.from('telltale-records');
const long = avsc.Type.forSchema('long');

/**
 * Values as one Avro object container file, with their bytes unchanged. Avro's binary form of a record is its fields,
 * one after another, so the fields of the origin can be put before any value. `previous` is the offset of the stored
 * record before them, -1 for none: each record names the one before it. Offsets alone don't prove a gap, because
 * transactions leave holes; a chain does. Source:
 * https://avro.apache.org/docs/1.12.0/specification/#object-container-files
 */
export function avroContainer(
  { name, fields }: WriterSchema,
  records: readonly StoredRecord[],
  previous: number,
): Buffer {
  const schema = { type: 'record', name, namespace: 'telltale', fields: [...origin, ...fields] };
  const meta = { 'avro.schema': Buffer.from(JSON.stringify(schema)), 'avro.codec': Buffer.from('null') };
  const header = fileHeader.toBuffer({ magic, meta, sync });
  if (records.length === 0) return header;
  const block = blockOf(records, previous);
  return Buffer.concat([header, long.toBuffer(records.length), long.toBuffer(block.length), block, sync]);
}

function blockOf(records: readonly StoredRecord[], previous: number): Buffer {
  const most = records.reduce((sum, { value }) => sum + originBytes + value.length - headerBytes, 0);
  const block = Buffer.allocUnsafeSlow(most);
  let before = previous;
  let used = 0;
  for (const { offset, value, source } of records) {
    const of = { _offset: offset, _previous_offset: before, _appended_at: source.timestamp };
    used = originType.encode(of, block, used);
    used += value.copy(block, used, headerBytes);
    before = offset;
  }
  return block.subarray(0, used);
}
