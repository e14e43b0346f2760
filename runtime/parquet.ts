import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress, init } from '@bokuweb/zstd-wasm';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

/** The rows of a Parquet file as objects of these columns, in order, one row group at a time. */
export async function* parquetRows(
  path: string,
  columns: readonly string[],
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  await init();
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  // The first is the root of the tree; its children are the columns.
  const known = new Set(metadata.schema.slice(1).map(({ name }) => name));
  const wanted = columns.filter((column) => known.has(column));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    yield await parquetReadObjects({ file, metadata, columns: wanted, rowStart, rowEnd, compressors });
    rowStart = rowEnd;
  }
}

/** In addition to Snappy, which the library includes. */
const compressors = {
  GZIP: (input: Uint8Array) => gunzipSync(input),
  BROTLI: (input: Uint8Array) => brotliDecompressSync(input),
  ZSTD: (input: Uint8Array) => decompress(input),
};
