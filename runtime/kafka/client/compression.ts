import { compress, decompress, init } from '@bokuweb/zstd-wasm';
import lz4 from '@2l/kafkajs-lz4';
import kafkajs from 'kafkajs';
import snappy from 'kafkajs-snappy';

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

// Its types declare a default export; its module is the class itself.
const Lz4 = lz4 as unknown as new () => { readonly codec: () => Codec };

let zstdReady: Promise<void> | undefined;

const zstd = (): Codec => ({
  async compress({ buffer }) {
    await (zstdReady ??= init());
    return Buffer.from(compress(buffer));
  },
  async decompress(buffer) {
    await (zstdReady ??= init());
    return Buffer.from(decompress(buffer));
  },
});

/** kafkajs supports gzip alone; other producers on the same topics may use any codec of the protocol. */
export function registerCompressionCodecs(): void {
  const { CompressionCodecs: codecs, CompressionTypes: types } = kafkajs;
  codecs[types.Snappy] = snappy;
  codecs[types.LZ4] = new Lz4().codec;
  codecs[types.ZSTD] = zstd;
}
