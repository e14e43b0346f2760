import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { TelltaleError } from '../errors.js';
import type { Logger } from '../logging.js';
import { tlsFiles } from '../tls/tls-files.js';

/** PEM files of a server's own certificate; both are empty if the server speaks plain HTTP. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  /** The variables that name them, for the message if one is missing. */
  readonly variables: readonly [certificate: string, key: string];
}

/** An HTTP server, or an HTTPS server if it has a certificate. Throws CONFIG_INVALID or TLS_FILES_INVALID. */
export function listeningServer(
  options: ServerOptions,
  { certificate, key, variables }: ServerCertificate,
  logger: Logger,
): { readonly server: Server; readonly scheme: 'http' | 'https'; readonly connected: string } {
  if (certificate === '' && key === '')
    return { server: createServer(options), scheme: 'http', connected: 'connection' };
  if (certificate === '' || key === '') {
    const [missing, given] = certificate === '' ? variables : [variables[1], variables[0]];
    throw new TelltaleError('CONFIG_INVALID', { problems: `  ${missing}: is required with ${given}` });
  }
  const files = tlsFiles({ certificate, key }, logger);
  let used = files();
  const server = createTlsServer({
    ...options,
    ...used.material,
    handshakeTimeout: options.headersTimeout,
    // The server speaks no HTTP/2, and must not offer it.
    ALPNProtocols: ['http/1.1'],
  });
  // This listener runs before the handshake. Open connections keep the certificate that they were opened with.
  server.prependListener('connection', () => {
    const now = files();
    if (now === used) return;
    used = now;
    server.setSecureContext(now.material);
  });
  return { server, scheme: 'https', connected: 'secureConnection' };
}
