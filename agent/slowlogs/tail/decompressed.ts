import { createGunzip, type Gunzip } from 'node:zlib';

type Bytes = AsyncIterable<Buffer>;

/** Whether an error means that a file is damaged. */
export const isDamage = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;

/**
 * The content of a gzip file; `from` returns its bytes from an offset on. If the file is damaged or not
 * complete yet, it rejects once everything that can be decompressed was returned. zlib returns nothing of a
 * piece that leads to an error, so the last piece is read again, byte by byte.
 */
export async function* decompressed(from: (offset: number) => Bytes): AsyncGenerator<Buffer> {
  let given = 0;
  let begun = 0;
  const inPieces = async function* (finest: number): AsyncGenerator<Buffer> {
    let at = 0;
    for await (const piece of pieces(from(0), (offset) => (offset < finest ? pieceBytes : 1))) {
      begun = at;
      at += piece.length;
      yield piece;
    }
  };
  try {
    for await (const piece of gunzipped(inPieces(Infinity))) {
      given += piece.length;
      yield piece;
    }
  } catch (error) {
    // If only the end is missing, everything that there is was returned.
    if (!isDamage(error) || (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw error;
    yield* behind(gunzipped(inPieces(begun)), given);
  }
}

/** Without the first `count` bytes. */
export async function* behind(bytes: Bytes, count: number): AsyncGenerator<Buffer> {
  let skip = count;
  for await (const piece of bytes) {
    if (skip < piece.length) yield skip === 0 ? piece : piece.subarray(skip);
    skip = Math.max(0, skip - piece.length);
  }
}

/** The size of a piece that is decompressed at once: it can become a thousand times as long. */
const pieceBytes = 16 * 1024;

async function* pieces(bytes: Bytes, lengthAt: (offset: number) => number): AsyncGenerator<Buffer> {
  let offset = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + lengthAt(offset));
      at += piece.length;
      offset += piece.length;
      yield piece;
    }
  }
}

/** Iterating over the stream itself would lose the data that it held when the error came. */
async function* gunzipped(bytes: Bytes): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const done: Buffer[] = [];
  gunzip.on('data', (piece: Buffer) => done.push(piece));
  const over = endOf(gunzip);
  try {
    for await (const piece of bytes) {
      await Promise.race([over, new Promise((resolve) => gunzip.write(piece, resolve))]);
      yield* done.splice(0);
      // Bytes after the end of the compressed data are never taken.
      if (gunzip.readableEnded || gunzip.destroyed) break;
    }
    gunzip.end();
    const problem = await over;
    yield* done.splice(0);
    if (problem !== null) throw problem;
  } finally {
    gunzip.destroy();
  }
}

const endOf = (gunzip: Gunzip): Promise<Error | null> =>
  new Promise((resolve) => {
    gunzip.once('end', () => resolve(null)).once('error', resolve);
  });
