import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TelltaleError } from '../../../../runtime/errors.js';
import type { WriterSchemas } from '../../../../runtime/registry/writer-schemas.js';
import { sampleBytes, sampleSchemas } from '../../../support/samples.js';

describe('the schema that a value was written with', () => {
  const schemas: WriterSchemas = sampleSchemas('samples');
  const idOf = async (bytes: Buffer): Promise<number> => (await schemas.of(bytes)).id;
  const isUndecodable = async (bytes: Buffer): Promise<boolean> => {
    try {
      await schemas.of(bytes);
      return false;
    } catch (error) {
      return error instanceof TelltaleError && error.code === 'RECORD_UNDECODABLE';
    }
  };

  it('is known by its id, and fetched if it is not ours', async () => {
    assert.equal(await idOf(sampleBytes({ id: 1 })), 1);
    const { id, fields } = await schemas.of(sampleBytes({ id: 1 }, 0));
    assert.deepEqual([id, fields.length], [0, 2]);
  });

  it('does not fit bytes that are truncated, or too long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.string(), fc.nat(), async (id, padding, at) => {
        const bytes = sampleBytes({ id, padding });
        assert.equal(await isUndecodable(bytes), false);
        assert.equal(await isUndecodable(bytes.subarray(0, at % bytes.length)), true);
        assert.equal(await isUndecodable(Buffer.concat([bytes, Buffer.of(at)])), true);
      }),
    );
  });

  it('is not found if the registry does not know it, or for bytes that are not Avro', async () => {
    const unknown = sampleBytes({ id: 1 });
    unknown.writeInt32BE(77, 1);
    assert.equal(await isUndecodable(unknown), true);
    assert.equal(await isUndecodable(Buffer.from('no Avro')), true);
  });
});
