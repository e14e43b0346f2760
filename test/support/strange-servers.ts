import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createPlain, type AddressInfo, type Server, type Socket } from 'node:net';
import { testCertificates } from './test-certificates.js';

/** A server of one test on its own port; it records every request. */
export interface StrangeServer {
  readonly port: number;
  /** `GET /path`, in order. */
  readonly requests: readonly string[];
  readonly credentials: readonly (string | undefined)[];
  stop(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers every HTTP request with this answer. */
export function webServer(answer: Answer): Promise<StrangeServer> {
  const seen = recorder(answer);
  return listening(createHttp(seen.take), seen);
}

/** The same over TLS, with the certificate for localhost signed by the tests' CA, or a self-signed one. */
export function tlsServer(answer: Answer, which: 'server' | 'selfSigned' = 'server'): Promise<StrangeServer> {
  const seen = recorder(answer);
  const { certificate, key } = testCertificates[which];
  return listening(createHttps({ cert: certificate, key }, seen.take), seen);
}

/** Over this version of TLS, only for clients with a certificate of the tests' CA. */
export function mutualTlsServer(answer: Answer, version: 'TLSv1.2' | 'TLSv1.3'): Promise<StrangeServer> {
  const seen = recorder(answer);
  const { authority, server } = testCertificates;
  const trusting = { cert: server.certificate, key: server.key, ca: authority, requestCert: true };
  return listening(createHttps({ ...trusting, minVersion: version, maxVersion: version }, seen.take), seen);
}

/** Accepts connections and passes them to `take`, which by default does nothing. */
export function socketServer(take: (socket: Socket) => void = () => undefined): Promise<StrangeServer> {
  return listening(
    createPlain(take),
    recorder(() => undefined),
  );
}

/** Answers as JSON. */
export function json(status: number, body: object): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

interface Recorder {
  readonly requests: string[];
  readonly credentials: (string | undefined)[];
  readonly take: Answer;
}

function recorder(answer: Answer): Recorder {
  const requests: string[] = [];
  const credentials: (string | undefined)[] = [];
  return {
    requests,
    credentials,
    take: (request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      credentials.push(request.headers.authorization);
      answer(request, response);
    },
  };
}

async function listening(server: Server, { requests, credentials }: Recorder): Promise<StrangeServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    credentials,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
