import { connect, type Socket } from 'node:net';
import { type KafkaSecurity, plaintext } from '../../runtime/kafka/client/kafka-access.js';

/**
 * Connections to a broker that can drop its answers: it gets every request, but its answers are lost. For the
 * client this is a network failure at the worst time: it can't know whether its request was executed.
 */
export interface DeafConnections {
  readonly security: KafkaSecurity;
  deaf: boolean;
  /** The number of dropped answers. */
  lost: number;
}

export function unresponsiveConnections(): DeafConnections {
  const connections: DeafConnections = {
    deaf: false,
    lost: 0,
    security: {
      ...plaintext,
      openSocket(address, onConnect) {
        const socket = connect(address, onConnect);
        const emit = socket.emit.bind(socket) as (event: string, ...rest: unknown[]) => boolean;
        socket.emit = ((event: string, ...rest: unknown[]) => {
          if (event !== 'data' || !connections.deaf) return emit(event, ...rest);
          connections.lost += 1;
          socket.destroy(new Error('the answer is lost'));
          return true;
        }) as Socket['emit'];
        return socket;
      },
    },
  };
  return connections;
}
