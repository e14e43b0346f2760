import { connect, createServer, type Server, type Socket } from 'node:net';
import { type KafkaSecurity, plaintext } from '../../runtime/kafka/client/kafka-access.js';
import { pickFreePort } from '../../stack/ports.js';

/** How the proxy changes a broker's answers to produce requests. */
interface AnswerFault {
  /** Each answer is held back until this resolves. */
  heldBy: () => Promise<unknown>;
  /** This many answers will say REQUEST_TIMED_OUT, which requires a retry, although the broker appended. */
  timedOut: number;
}

/** A network between a client and its brokers in which answers to produce requests are late, or report errors. */
export interface BrokerProxies {
  /** For a client: connects it to each broker through that broker's proxy. */
  readonly security: KafkaSecurity;
  /** By the port of the broker. */
  fault(port: number): AnswerFault;
  stop(): Promise<void>;
}

export async function startBrokerProxies(ports: readonly number[]): Promise<BrokerProxies> {
  const faults = new Map(ports.map((port) => [port, { heldBy: () => Promise.resolve(), timedOut: 0 }]));
  const fault = (port: number): AnswerFault => {
    const found = faults.get(port);
    if (found === undefined) throw new RangeError(`no proxy for port ${port}`);
    return found;
  };
  const proxies = await Promise.all(ports.map((port) => startProxy(port, fault(port))));
  const through = new Map(ports.map((port, index) => [port, proxies[index]?.port ?? port]));
  return {
    security: {
      ...plaintext,
      openSocket: ({ host, port }, onConnect) =>
        plaintext.openSocket({ host, port: through.get(port) ?? port }, onConnect),
    },
    fault,
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    },
  };
}

async function startProxy(brokerPort: number, fault: AnswerFault) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(brokerPort, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    const produces = new Set<number>();
    onFrames(near, (frame) => {
      if (frame.readInt16BE(4) === produceKey) {
        produces.add(frame.readInt32BE(8));
      }
      far.write(frame);
    });
    let answered = Promise.resolve();
    onFrames(far, (frame) => {
      const isProduced = produces.delete(frame.readInt32BE(4));
      if (isProduced) spoil(frame, fault);
      const held = isProduced ? fault.heldBy() : undefined;
      answered = answered.then(() => held).then(() => void near.write(frame));
    });
  });
  const port = await pickFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const produceKey = 0;
const requestTimedOut = 7;

/** Frames of Kafka's protocol: a length of four bytes, and that many bytes. */
function onFrames(socket: Socket, take: (frame: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0);
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}

/** Puts the next error into the answer, in its first partition. */
function spoil(frame: Buffer, fault: AnswerFault): void {
  if (fault.timedOut === 0) return;
  fault.timedOut -= 1;
  const firstTopic = 4 + 4 + 4;
  const firstPartition = firstTopic + 2 + frame.readInt16BE(firstTopic) + 4;
  frame.writeInt16BE(requestTimedOut, firstPartition + 4);
}
