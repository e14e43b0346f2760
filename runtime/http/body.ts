import type { Transform } from 'node:stream';
import { constants as zlib, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Exchange } from './exchange.js';
import { ClientGone } from './failures.js';
import { GrowingBuffer } from './growing-buffer.js';
import { Problem } from './problem.js';

const jsonAlone = ['application/json'];

/**
 * Checks the headers that describe the body, so that a body that will be refused is not read at all. Returns
 * the media type: one of the accepted ones, in lower case.
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
      'This Content-Encoding is not supported. Send gzip, deflate or none.',
      { headers: ['accept-encoding', 'gzip, deflate, identity'] },
    );
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return mediaType;
}

const encodings: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'identity']);

/** Undefined if there is no media type, or if its charset is not UTF-8. */
function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === 'application/json') return contentType;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const isUtf8 = parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || ['utf-8', 'utf8'].includes(value.trim().replace(/^"|"$/g, ''));
  });
  return isUtf8 ? type.trim() : undefined;
}

/** Reads the whole body, decompressed. Neither form may be longer than `limit`; each is counted as it arrives. */
export async function readBody(exchange: Exchange, limit: number): Promise<Buffer> {
  const encoding = exchange.request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const bytes = await collect(exchange, limit);
  if (encoding === 'identity') return bytes;
  const held = exchange.bytesHeld;
  const result = await decompressed(exchange, bytes, encoding, limit);
  exchange.release(held);
  return result;
}

function collect(exchange: Exchange, limit: number): Promise<Buffer> {
  const { request } = exchange;
  const declared = request.headers['content-length'];
  const body = new GrowingBuffer(declared === undefined ? limit : Number(declared));
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      exchange.bytesIn += chunk.length;
      const refusal = take(exchange, body, chunk, limit);
      if (refusal === undefined) return;
      request.off('data', onData);
      reject(refusal);
    };
    exchange.askForBody();
    request.on('data', onData);
    request.on('end', () => {
      exchange.cancelBody = undefined;
      resolve(body.whole());
    });
    // Node emits no 'end' if the connection breaks: without this listener the promise would never settle.
    request.on('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
    exchange.cancelBody = reject;
  });
}

/** Adds a piece, or returns the problem if the body is then too large or there is no room for it. */
function take(exchange: Exchange, body: GrowingBuffer, piece: Buffer, limit: number): Problem | undefined {
  if (body.length + piece.length > limit) return tooLarge(limit);
  const refusal = exchange.hold(piece.length);
  if (refusal === undefined) body.add(piece);
  return refusal;
}

function decompressed(exchange: Exchange, bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const inflating = inflatorOf(bytes, encoding);
  const body = new GrowingBuffer(limit);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      inflating.destroy();
      reject(error);
    };
    inflating.on('data', (chunk: Buffer) => {
      const refusal = exchange.response.destroyed ? new ClientGone() : take(exchange, body, chunk, limit);
      if (refusal !== undefined) fail(refusal);
    });
    inflating.on('end', () => resolve(body.whole()));
    inflating.on('error', () =>
      fail(new Problem('malformed-body', `The body is not valid ${encoding} data, or it is cut short.`)),
    );
    inflating.end(bytes);
  });
}

function inflatorOf(bytes: Buffer, encoding: string): Transform {
  const options = { chunkSize: chunkSizeFor(bytes) };
  if (encoding !== 'deflate') return createGunzip(options);
  return hasZlibHeader(bytes) ? createInflate(options) : createInflateRaw(options);
}

/**
 * Each chunk of the result is a task for a thread. With Node's 16 KiB, the chunks of an agent's batch would
 * cost more than parsing it. Small bodies get no large chunk, because there can be very many of them.
 */
function chunkSizeFor({ length }: Buffer): number {
  return Math.min(largestChunk, Math.max(zlib.Z_DEFAULT_CHUNK, 8 * length));
}

const largestChunk = 256 * 1024;

/** `deflate` means the zlib format (RFC 9110); some clients send the raw deflate stream, which has no zlib header. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is longer than ${limit} bytes (before or after decompression). Send a shorter one.`,
  );
}
