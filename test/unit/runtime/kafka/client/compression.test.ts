import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { registerCompressionCodecs } from '../../../../../runtime/kafka/client/client.js';

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

describe('compression codecs', () => {
  before(() => registerCompressionCodecs());

  const { Snappy, LZ4, ZSTD } = kafkajs.CompressionTypes;
  const codecs = kafkajs.CompressionCodecs as Readonly<Record<number, unknown>>;
  for (const [name, type] of Object.entries({ Snappy, LZ4, ZSTD })) {
    it(`${name} gives back what it was given`, async () => {
      const codec = (codecs[type] as () => Codec)();
      const bytes = Buffer.from('one record after the other '.repeat(200));
      const compressed = await codec.compress({ buffer: bytes });
      assert.ok(compressed.length < bytes.length / 2);
      assert.deepEqual(Buffer.from(await codec.decompress(compressed)), bytes);
    });
  }
});
