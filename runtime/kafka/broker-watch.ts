import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/**
 * Knows at once that no broker answers, long before a produce request gives up: it sees every socket of a client, and
 * when one fails it asks the address itself, again and again until somebody answers.
 */
export interface BrokerWatch {
  /** No address that this client has used takes a connection now. */
  readonly away: boolean;
  /** Given to kafkajs, which opens every connection through it. */
  readonly socketFactory: ISocketFactory;
  stop(): void;
}

const probeEveryMs = 200;
const probeTimeoutMs = 1_000;

export function watchBrokers(): BrokerWatch {
  const answering = new Map<string, boolean>();
  const probes = new Map<string, ReturnType<typeof setTimeout>>();
  let stopped = false;

  const suspect = (host: string, port: number): void => {
    const address = `${host}:${port}`;
    if (stopped || probes.has(address)) return;
    const probe = (): void => {
      void answers(host, port).then((answered) => {
        answering.set(address, answered);
        if (answered || stopped) probes.delete(address);
        else probes.set(address, setTimeout(probe, probeEveryMs).unref());
      });
    };
    probes.set(address, setTimeout(probe, 0).unref());
  };

  return {
    get away() {
      return answering.size > 0 && ![...answering.values()].includes(true);
    },
    socketFactory({ host, port, ssl, onConnect }) {
      const socket = openSocket(host, port, ssl, () => {
        answering.set(`${host}:${port}`, true);
        onConnect();
      });
      socket.setKeepAlive(true, 60_000);
      socket.on('error', () => suspect(host, port));
      // Where we ended the connection ourselves its end says nothing about the broker.
      socket.on('end', () => {
        if (!socket.writableEnded) suspect(host, port);
      });
      return socket;
    },
    stop() {
      stopped = true;
      for (const timer of probes.values()) clearTimeout(timer);
      probes.clear();
    },
  };
}

/** kafkajs passes what it was configured with, which is null where there is no TLS. */
function openSocket(
  host: string,
  port: number,
  tls: ConnectionOptions | null,
  onConnect: () => void,
): Socket {
  return tls === null
    ? connect({ host, port }, onConnect)
    : connectTls({ host, port, servername: host, ...tls }, onConnect);
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answered: boolean) => (): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(probeTimeoutMs, end(false));
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });
}
