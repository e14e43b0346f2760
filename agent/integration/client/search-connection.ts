import {
  UndiciConnection,
  type ConnectionRequestOptions as CallOptions,
  type ConnectionRequestOptionsAsStream as CallOptionsAsStream,
  type ConnectionRequestParams as Params,
  type ConnectionRequestResponse as Response,
  type ConnectionRequestResponseAsStream as ResponseAsStream,
} from '@elastic/elasticsearch';
import { reasonOf, TelltaleError } from '../../../runtime/errors.js';
import { SearchCallError, type SearchFailure } from '../../collectors/client-port.js';
import type { LiveTrust } from './trust.js';
import { allowedCall } from './allow-list.js';
import type { ConnectFailure } from './connector.js';
import { createConnector, type Connector } from './connector.js';

type Options = ConstructorParameters<typeof UndiciConnection>[0];

export interface SearchConnectionOptions extends Options {
  readonly trust: Pick<LiveTrust, 'now'>;
  readonly timeout: number;
}

/** A host that has not accepted a connection in this time will not accept one. */
const longestConnectMs = 5_000;

/**
 * The last step before the network, through which every call to a cluster passes: a call that is not on the
 * list is not sent. Redirects are not followed, so credentials only go to the configured address.
 */
export class SearchConnection extends UndiciConnection {
  private readonly lastFailure: { current: ConnectFailure | undefined };

  constructor({ trust, ...options }: SearchConnectionOptions) {
    const lastFailure: { current: ConnectFailure | undefined } = { current: undefined };
    const limits = {
      connect: Math.min(longestConnectMs, Math.ceil(options.timeout / 2)),
      // A cluster with a slow handshake can use the whole time of the call.
      handshake: options.timeout,
    };
    const connect = createConnector(trust, limits, (why) => (lastFailure.current = why));
    const agent: AgentOptions = { connections: 4, keepAliveTimeout: 120_000, connect };
    super({ ...options, agent });
    this.lastFailure = lastFailure;
  }

  override request(params: Params, options: CallOptions): Promise<Response>;
  override request(params: Params, options: CallOptionsAsStream): Promise<ResponseAsStream>;
  override async request(
    params: Params,
    options: CallOptions | CallOptionsAsStream,
  ): Promise<Response | ResponseAsStream> {
    const call = `${params.method} ${params.path.split('?', 1)[0] ?? ''}`;
    const target = [params.path, ...(params.querystring ? [params.querystring] : [])].join('?');
    if (allowedCall(params.method, target) === undefined)
      throw new TelltaleError('CALL_NOT_ALLOWED', { call });
    try {
      return await super.request(params, options);
    } catch (error) {
      const connect = this.lastFailure.current;
      // The library keeps only the message of an error.
      if (connect !== undefined && connect.message === reasonOf(error)) {
        throw new SearchCallError(call, connect.failure, connect.message);
      }
      throw new SearchCallError(call, failureOf(error), reasonOf(error));
    }
  }
}

interface AgentOptions {
  connections: number;
  keepAliveTimeout: number;
  connect: Connector;
}

/** The failure of a connection that was open. */
function failureOf(error: unknown): SearchFailure {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return 'timeout';
  if (name === 'RequestAbortedError') return 'aborted';
  // undici's messages if a socket ends before it has answered anything.
  return /other side closed|ECONNRESET|EPIPE/.test(reasonOf(error)) ? 'connection_refused' : 'broken_answer';
}
