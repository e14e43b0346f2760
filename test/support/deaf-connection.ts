import { connect, type Socket } from 'node:net';
import { plaintext, type KafkaSecurity } from '../../runtime/kafka/client/security/kafka-security.js';

/**
 * Connections whose broker can be made unheard: it gets every request, and its answers are lost. What a client sees
 * then is what it sees when a network breaks at the worst moment: it can't know what became of its request.
 */
export interface DeafConnections {
  readonly security: KafkaSecurity;
  deaf: boolean;
  /** Answers that nobody heard. */
  lost: number;
}

export function deafConnections(): DeafConnections {
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
