import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { testCertificates } from './test-certificates.js';

/** TLS in front of a server without TLS, as a load balancer would terminate it. */
export interface TlsFront {
  /** The https URL of the server, with the certificate's host name. */
  readonly url: string;
  /** Names of the presented client certificates, in order. */
  readonly shown: readonly string[];
  stop(): void;
}

export interface TlsFrontOptions {
  readonly url: string;
  /** Refuses clients without a certificate of the tests' client CA. */
  readonly clientCertificate: boolean;
}

export async function tlsFront({ url, clientCertificate }: TlsFrontOptions): Promise<TlsFront> {
  const front = new URL(url);
  const behind = { host: front.hostname, port: Number(front.port) };
  const shown: string[] = [];
  const open = new Set<Socket>();
  const { server: own, clients } = testCertificates;
  const server = createServer(
    {
      cert: own.certificate,
      key: own.key,
      ...(clientCertificate && { ca: clients.authority, requestCert: true, rejectUnauthorized: true }),
    },
    (outer) => {
      if (clientCertificate) shown.push(String(outer.getPeerCertificate().subject.CN));
      const inner = connect(behind);
      for (const socket of [outer, inner]) {
        open.add(socket);
        socket.once('close', () => open.delete(socket));
        socket.on('error', () => undefined);
      }
      outer.pipe(inner).pipe(outer);
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  front.protocol = 'https:';
  front.hostname = 'localhost';
  front.port = String((server.address() as AddressInfo).port);
  return {
    url: front.href.replace(/\/$/, ''),
    shown,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
