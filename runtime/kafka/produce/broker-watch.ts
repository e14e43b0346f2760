import { connect } from 'node:net';
import type { OpenSocket } from '../client/security.js';

/**
 * Notices at once that no broker answers, long before a produce request fails. It sees every socket of a client. When
 * one fails, it connects to the address itself, again and again until that answers.
 */
export interface BrokerWatch {
  /** No address that this client has used accepts a connection now. */
  readonly away: boolean;
  /** Opens every connection of the client. */
  readonly openSocket: OpenSocket;
  stop(): void;
}

const probeEveryMs = 200;
const probeTimeoutMs = 1_000;

export function watchBrokers(open: OpenSocket): BrokerWatch {
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
    openSocket({ host, port }, onConnect) {
      const socket = open({ host, port }, () => {
        answering.set(`${host}:${port}`, true);
        onConnect();
      });
      socket.on('error', () => suspect(host, port));
      // The end of a connection that this client ended itself says nothing about the broker.
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

/** Whether anybody accepts a connection there: a broker that refuses our certificate or our password is not away. */
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
