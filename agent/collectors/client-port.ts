import { TelltaleError } from '../../runtime/errors.js';

/** The collectors' client for a search cluster. Every call of the agent to a cluster goes through one. */
export interface SearchClient {
  /**
   * GET of a path on the allow-list, including the query; the caller escapes index names in it. Resolves with
   * any answer of the cluster, 4xx and 5xx too. Rejects with SearchCallError if there was no usable answer,
   * and with CALL_NOT_ALLOWED for any other path.
   */
  get(path: string, options?: CallOptions): Promise<SearchAnswer>;
  /** POST _cluster/allocation/explain. Without a shard the cluster chooses an unassigned one, or answers 400. */
  explain(shard: ShardToExplain | undefined, options?: CallOptions): Promise<SearchAnswer>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * For an answer that is an array of objects and can be long: called with each element as it arrives. The
   * answer's body is then empty. An answer other than 200 is returned whole, as usual.
   */
  readonly onRow?: (row: unknown) => void;
}

export interface SearchAnswer {
  readonly status: number;
  /** Parsed if it is JSON, otherwise text. */
  readonly body: unknown;
  /** Bytes of the body, decompressed. */
  readonly bytes: number;
}

export interface ShardToExplain {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
}

/**
 * `connection_refused`: no connection (nothing listens, a firewall, an unknown host, closed at once); `too_large`: the
 * answer exceeded the limit and was cut off; `broken_answer`: it ended early or is not the JSON that it claims to be.
 */
export type SearchFailure =
  'connection_refused' | 'tls_error' | 'timeout' | 'aborted' | 'too_large' | 'broken_answer';

/** A call without a usable answer. Its message contains no secret and no text of the cluster's answer. */
export class SearchCallError extends TelltaleError {
  readonly failure: SearchFailure;
  /** The failure in words, without the call. */
  readonly reason: string;

  constructor(call: string, failure: SearchFailure, reason: string) {
    super('SEARCH_CALL_FAILED', { call, reason });
    this.name = 'SearchCallError';
    this.failure = failure;
    this.reason = reason;
  }
}
