import { constants as zlib, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Exchange } from './exchange.js';
import { ClientGone } from './failures.js';
import { Problem } from './problem.js';

type Decompress = (
  bytes: Buffer,
  options: { maxOutputLength: number; chunkSize: number },
  done: (error: (Error & { code?: string }) | null, result: Buffer) => void,
) => void;

const jsonAlone = ['application/json'];

/**
 * Checks what the headers say of the body, so that nothing is read of a body that can't be taken. Gives the media type:
 * one of those that are taken, in lower case.
 */
export function checkBodyHeaders(
  exchange: Exchange,
  limit: number,
  taken: readonly string[] = jsonAlone,
): string {
  const { headers } = exchange.request;
  const mediaType = mediaTypeOf(headers['content-type']);
  if (mediaType === undefined || !taken.includes(mediaType))
    throw new Problem(
      'unsupported-media-type',
      `Send the body as \`Content-Type: ${taken.slice(0, 2).join('` or `')}\`, in UTF-8.`,
    );
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !encodings.has(encoding.toLowerCase()))
    throw new Problem(
      'unsupported-media-type',
      'This Content-Encoding is not taken. Send gzip, deflate or none.',
      { headers: ['accept-encoding', 'gzip, deflate, identity'] },
    );
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return mediaType;
}

const encodings: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'identity']);

/** Undefined where there is none, or it names another charset than UTF-8. */
function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === 'application/json') return contentType;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const isUtf8 = parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || ['utf-8', 'utf8'].includes(value.trim().replace(/^"|"$/g, ''));
  });
  return isUtf8 ? type.trim() : undefined;
}

/** Reads the whole body, decompressed. Neither form may be longer than `limit`. */
export function readBody(exchange: Exchange, limit: number): Promise<Buffer> {
  const encoding = exchange.request.headers['content-encoding'];
  const bytes = collect(exchange, limit);
  return encoding === undefined ? bytes : decompressed(exchange, bytes, encoding.toLowerCase(), limit);
}

function collect(exchange: Exchange, limit: number): Promise<Buffer> {
  const { request } = exchange;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      exchange.bytesIn = length;
      const refusal = length <= limit ? exchange.hold(chunk.length) : tooLarge(limit);
      if (refusal === undefined) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      reject(refusal);
    };
    request.on('data', onData);
    request.on('end', () => {
      exchange.cancelBody = undefined;
      const only = chunks.length === 1 ? chunks[0] : undefined;
      resolve(only ?? Buffer.concat(chunks, length));
    });
    // Node emits no 'end' where the connection breaks: without this the promise would never settle.
    request.on('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
    exchange.cancelBody = reject;
  });
}

async function decompressed(
  exchange: Exchange,
  body: Promise<Buffer>,
  encoding: string,
  limit: number,
): Promise<Buffer> {
  const bytes = await body;
  if (encoding === 'identity') return bytes;
  const decompress: Decompress =
    encoding !== 'deflate' ? gunzip : hasZlibHeader(bytes) ? inflate : inflateRaw;
  return new Promise((resolve, reject) => {
    const settle = (result: Buffer): void => {
      const refusal = exchange.hold(result.length);
      if (refusal === undefined) resolve(result);
      else reject(refusal);
    };
    decompress(bytes, { maxOutputLength: limit, chunkSize: chunkSizeFor(bytes) }, (error, result) => {
      if (exchange.response.destroyed) reject(new ClientGone());
      else if (error === null) settle(result);
      else if (error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(limit));
      else
        reject(new Problem('malformed-body', `The body is not valid ${encoding} data, or it is cut short.`));
    });
  });
}

/**
 * Each chunk of the result is an errand of a thread: with Node's 16 KiB those of an agent's batch cost more than parsing
 * it. A small body gets no large chunk, as it may be one of very many.
 */
function chunkSizeFor({ length }: Buffer): number {
  return Math.min(largestChunk, Math.max(zlib.Z_DEFAULT_CHUNK, 8 * length));
}

const largestChunk = 256 * 1024;

/** `deflate` means the zlib format (RFC 9110); some clients send the bare stream, which has no such header. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is longer than ${limit} bytes (before or after decompression). Send a shorter one.`,
  );
}
