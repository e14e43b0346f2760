import type { Broker } from 'kafkajs/src/cluster/index.js';

/** A Kafka protocol request that we encode and decode ourselves; kafkajs transports it. */
interface Request<Answer> {
  readonly apiKey: number;
  readonly apiName: string;
  readonly apiVersion: number;
  /** The bytes after the request's header. Called when the request is sent. */
  readonly encode: () => Buffer;
  /** Reads the bytes after the answer's header. */
  readonly decode: (payload: Buffer) => Promise<Answer>;
  /** The connection's own timeout by default. */
  readonly timeoutMs?: number;
}

/** Rejects if the broker does not answer in time. */
export function sendRequest<Answer>(
  { connectionPool }: Pick<Broker, 'connectionPool'>,
  { apiKey, apiName, apiVersion, encode, decode, timeoutMs }: Request<Answer>,
): Promise<Answer> {
  return connectionPool.send({
    request: {
      ...{ apiKey, apiName, apiVersion },
      encode() {
        const buffer = encode();
        return Promise.resolve({ buf: buffer, buffer }); // the part of kafkajs's Encoder that it uses
      },
    },
    response: { decode, parse: (answer) => Promise.resolve(answer) },
    ...(timeoutMs !== undefined && { requestTimeout: timeoutMs }),
    logResponseError: false,
  });
}
