import assert from 'node:assert/strict';
import avsc from 'avsc';
import { once } from 'node:events';
import { avroContainer } from '../../../../runtime/sink/avro-container.js';
import type { StoredRecord } from '../../../../runtime/sink/sink-record.js';
import { logRecord } from '../../../support/log-records.js';
import { sampleBytes, sampleSchemas } from '../../../support/samples.js';

const schema = await sampleSchemas('samples').of(sampleBytes({ id: 1 }));

function record(offset: number, timestamp: number): StoredRecord {
  const value = sampleBytes({ id: offset, padding: 'ü'.repeat(offset) });
  return { offset, kind: 'stored', schema, value, source: logRecord(offset, value, { timestamp }) };
}

/** Reads it with an independent implementation of the format. */
async function read(container: Buffer): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  const decoder = new avsc.streams.BlockDecoder();
  decoder.on('data', (value: object) => values.push({ ...value }));
  decoder.end(container);
  await once(decoder, 'end');
  return values;
}

describe('an Avro container of records', () => {
  const records = [record(3, 1_700_000_000_123), record(7, 0), record(900, 1)];

  it('holds every field of every record, and names the offset of the record before', async () => {
    assert.deepEqual(await read(avroContainer(schema, records, -1)), [
      { _offset: 3, _previous_offset: -1, _appended_at: 1_700_000_000_123, id: 3, kind: '', padding: 'üüü' },
      { _offset: 7, _previous_offset: 3, _appended_at: 0, id: 7, kind: '', padding: 'ü'.repeat(7) },
      { _offset: 900, _previous_offset: 7, _appended_at: 1, id: 900, kind: '', padding: 'ü'.repeat(900) },
    ]);
  });

  it('is the same bytes for the same records', () => {
    const again = [record(3, 1_700_000_000_123), record(7, 0), record(900, 1)];
    assert.deepEqual(avroContainer(schema, records, 2), avroContainer(schema, again, 2));
    assert.notDeepEqual(avroContainer(schema, records, 2), avroContainer(schema, again, 1));
  });
});
