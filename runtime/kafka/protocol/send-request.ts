import type { Broker } from 'kafkajs/src/cluster/index.js';

/** A request of Kafka's protocol that we write and read ourselves; kafkajs carries it. */
interface Request<Answer> {
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  /** What follows the request's header. Called when the request goes out. */
  readonly encode: () => Buffer;
  /** Reads what follows the answer's header. */
  readonly decode: (payload: Buffer) => Promise<Answer>;
  /** The connection's own unless given. */
  readonly timeoutMs?: number;
}

/** Rejects where the broker does not answer in time. */
export function sendRequest<Answer>(
  { connectionPool }: Pick<Broker, 'connectionPool'>,
  { apiKey, apiName, apiVersion, encode, decode, timeoutMs }: Request<Answer>,
): Promise<Answer> {
  return connectionPool.send({
    request: {
      ...{ apiKey, apiName, apiVersion },
      encode() {
        const buffer = encode();
        return Promise.resolve({ buf: buffer, buffer }); // as much of kafkajs's Encoder as it goes on with
      },
    },
    response: { decode, parse: (answer) => Promise.resolve(answer) },
    ...(timeoutMs !== undefined && { requestTimeout: timeoutMs }),
    logResponseError: false,
  });
}
