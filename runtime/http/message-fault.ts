import type { IncomingMessage } from 'node:http';
import { hasHostForm } from './host.js';
import { Problem } from './problem.js';

const close = ['connection', 'close'];

/** Faults that RFC 9112 tells every server to refuse, but Node accepts; undefined if there is none. */
export function messageFault(request: IncomingMessage): Problem | undefined {
  return hostFault(request) ?? transferFault(request);
}

/**
 * Node keeps the first of several Host headers. A proxy that keeps the last one would mean a different host.
 */
function hostFault({ rawHeaders, headers, httpVersion }: IncomingMessage): Problem | undefined {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1 || (count === 0 && httpVersion === '1.1'))
    return new Problem('malformed-request', 'HTTP/1.1 requires exactly one Host header.', { headers: close });
  if (count === 1 && !hasHostForm(headers.host ?? ''))
    return new Problem('malformed-request', 'The Host header is not a host and port.', { headers: close });
  return undefined;
}

/** If a coding is not decoded, the body is not what the client meant. */
function transferFault({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0')
    return new Problem('malformed-request', 'HTTP/1.0 has no Transfer-Encoding.', { headers: close });
  if (coding.trim().toLowerCase() === 'chunked') return undefined;
  return new Problem(
    'not-implemented',
    'The only supported Transfer-Encoding is chunked. Send gzip as Content-Encoding.',
    { headers: close },
  );
}
