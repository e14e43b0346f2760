import { request as plainly } from 'node:http';
import { request as encrypted } from 'node:https';

export interface Asking {
  readonly method: string;
  /** Text is sent as lines of JSON, anything else as JSON. */
  readonly body?: object | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of the one CA to trust. */
  readonly ca?: string | undefined;
  readonly timeoutMs?: number;
}

export interface Said {
  readonly status: number;
  readonly text: string;
}

/** One call on a new connection, so that no connection from before a kill is reused. */
export function askNode(url: string, asking: Asking): Promise<Said> {
  const { method, body, headers, ca, timeoutMs = 120_000 } = asking;
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const begin = url.startsWith('https:') ? encrypted : plainly;
    const call = begin(url, {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
        ...(sent === undefined ? {} : { 'content-length': Buffer.byteLength(sent) }),
        ...headers,
      },
      ...(ca === undefined ? {} : { ca }),
    });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    call.end(sent);
  });
}
