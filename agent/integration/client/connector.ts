import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { reasonOf } from '../../../runtime/errors.js';
import type { SearchFailure } from '../../collectors/client-port.js';
import type { LiveTrust, Trust } from './trust.js';

/** Why there is no connection. */
export class ConnectFailure extends Error {
  readonly failure: SearchFailure;

  constructor(failure: SearchFailure, reason: string) {
    super(reason);
    this.name = 'ConnectFailure';
    this.failure = failure;
  }
}

interface Destination {
  readonly hostname: string;
  readonly port: string;
  readonly protocol: string;
}

type Done = (error: Error | null, socket: Socket | null) => void;

/** How undici opens a connection. */
export type Connector = (to: Destination, done: Done) => void;

/** Milliseconds. */
interface Limits {
  /** The time until the other side accepts the connection. */
  readonly connect: number;
  /** The time from then until the TLS handshake is done. */
  readonly handshake: number;
}

/**
 * Opens connections, and distinguishes three failures that look alike later: nothing accepts the connection, the TLS
 * handshake fails, or the other side does not answer.
 */
export function createConnector(
  trust: Pick<LiveTrust, 'now'>,
  limits: Limits,
  failed: (why: ConnectFailure) => void,
): Connector {
  let known: { readonly trust: Trust; readonly context: SecureContext } | undefined;

  /** Created once, and again when the trust store changes: it parses every certificate of the store. */
  const contextOf = (found: Trust): SecureContext => {
    if (known?.trust !== found)
      known = { trust: found, context: createSecureContext({ ca: [...found.authorities] }) };
    return known.context;
  };

  const openPlain = ({ hostname, port }: Destination): Socket =>
    connectPlain({ host: hostOf(hostname), port: Number(port === '' ? 80 : port) });

  const openSecure = ({ hostname, port }: Destination, found: Trust): Socket => {
    const host = hostOf(hostname);
    return connectTls({
      host,
      port: Number(port === '' ? 443 : port),
      servername: isIP(host) === 0 ? host : '',
      secureContext: contextOf(found),
      rejectUnauthorized: found.verify,
      ALPNProtocols: ['http/1.1'],
    });
  };

  const follow = (secure: boolean, open: () => Socket, done: Done): void => {
    try {
      awaitConnection(open(), { secure, limits, failed, done });
    } catch (error) {
      done(new ConnectFailure('tls_error', reasonOf(error)), null);
    }
  };

  return (to, done) => {
    if (to.protocol !== 'https:') {
      follow(false, () => openPlain(to), done);
      return;
    }
    trust.now().then(
      (found) => follow(true, () => openSecure(to, found), done),
      (error: unknown) => done(new ConnectFailure('tls_error', reasonOf(error)), null),
    );
  };
}

interface Attempt {
  readonly secure: boolean;
  readonly limits: Limits;
  readonly failed: (why: ConnectFailure) => void;
  readonly done: Done;
}

/** Reports that the socket can be used, or why it can't. */
function awaitConnection(socket: Socket, { secure, limits, failed, done }: Attempt): void {
  let reached = false;
  const fail = (failure: SearchFailure, reason: string): void => {
    clearTimeout(timer);
    socket.destroy();
    const why = new ConnectFailure(failure, reason);
    failed(why);
    done(why, null);
  };
  let timer = setTimeout(
    () => fail('connection_refused', `no connection within ${limits.connect} ms`),
    limits.connect,
  );
  const broken = (error: Error): void =>
    fail(reached ? 'tls_error' : 'connection_refused', reasonOfSocket(error));
  /**
   * With TLS 1.3 the other side can refuse after its part of the handshake, and then close. undici would
   * report the close, because it saw that last.
   */
  const refused = (error: Error): void => {
    if (!isOfTls(error)) return;
    const why = new ConnectFailure('tls_error', reasonOfSocket(error));
    failed(why);
    socket.destroy(why);
  };
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 60_000);
  socket.once('connect', () => {
    reached = true;
    clearTimeout(timer);
    const late = (): void => fail('timeout', `no TLS handshake within ${limits.handshake} ms`);
    if (secure) timer = setTimeout(late, limits.handshake);
  });
  socket.once('error', broken);
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer);
    socket.off('error', broken);
    if (secure) socket.once('error', refused);
    done(null, socket);
  });
}

const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const isOfTls = ({ code = '' }: NodeJS.ErrnoException): boolean => code.startsWith('ERR_SSL_');

/** An attempt at several addresses (`localhost` has two) fails with an error that has a code but no message. */
function reasonOfSocket(error: Error & { code?: string; errors?: readonly Error[] }): string {
  const first = error.errors?.[0];
  const text = error.message !== '' ? error.message : (first?.message ?? error.code ?? 'unknown');
  // OpenSSL's messages contain its own source file and line.
  const openssl = /SSL routines:[^:]*:([^:\n]+)/.exec(text)?.[1];
  return (openssl ?? text).trim();
}
