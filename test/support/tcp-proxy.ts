import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network between two processes, which a test can cut. */
export interface TcpProxy {
  readonly url: string;
  /** From now on no byte passes in either direction. Open and new connections get no error. */
  cut(): void;
  /** Bytes pass again, over new connections: those that were open during the cut are reset. */
  mend(): void;
  stop(): Promise<void>;
}

/** Forwards every connection to a port of this machine. */
export async function startTcpProxy(listenPort: number, targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((near) => {
    keep(near);
    if (isCut) {
      near.pause();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(listenPort, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${listenPort}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
