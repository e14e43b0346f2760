import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection that sends bytes unchanged, valid or not, and keeps the received bytes. */
export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received, once the server has closed the connection. */
  untilClosed(): Promise<string>;
  /** Resolves once the received text matches. */
  until(pattern: RegExp): Promise<string>;
}

export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let closed = false;
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (received += chunk));
  // A server that closes a connection while the client still sends may reset it; only its answer counts.
  socket.on('error', () => undefined);
  socket.on('close', () => (closed = true));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    received: () => received,
    async untilClosed() {
      while (!closed) await sleep(5);
      return received;
    },
    async until(pattern) {
      while (!pattern.test(received)) {
        if (closed) throw new Error(`the connection was closed after:\n${received}`);
        await sleep(5);
      }
      return received;
    },
  };
}

/** The status codes of all answers in a received text, in order. */
export function statusesIn(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** The head of a POST of JSON under an API key; its body follows, or other bytes. */
export function postHead(path: string, token: string, headers: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: edge',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');
}

/** A POST with its body and the correct length. */
export function wholePost(
  path: string,
  token: string,
  body: string | Buffer,
  headers: readonly string[] = [],
): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(postHead(path, token, [`Content-Length: ${bytes.length}`, ...headers])),
    bytes,
  ]);
}
