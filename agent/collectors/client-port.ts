import { TelltaleError } from '../../runtime/errors.js';

/** What collectors ask a search cluster with. Every call of the agent to a cluster goes through one of these. */
export interface SearchClient {
  /**
   * GET, of a path on the allow-list, query included; names of indices in it are escaped by the caller. Resolves with
   * whatever the cluster answered, 4xx and 5xx too; rejects with SearchCallError where there was no usable answer,
   * and with CALL_NOT_ALLOWED for any other path.
   */
  get(path: string, options?: CallOptions): Promise<SearchAnswer>;
  /** POST _cluster/allocation/explain. Without a shard the cluster picks an unassigned one, or answers 400. */
  explain(shard: ShardToExplain | undefined, options?: CallOptions): Promise<SearchAnswer>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * For an answer that is an array of objects and may be long: each element, as it arrives. The answer's body is then
   * empty. An answer other than 200 comes whole, as ever.
   */
  readonly onRow?: (row: unknown) => void;
}

export interface SearchAnswer {
  readonly status: number;
  /** Parsed where it is JSON, and text elsewhere. */
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
 * answer passed the cap and was cut off; `broken_answer`: it ended early or is not the JSON that it says it is.
 */
export type SearchFailure =
  'connection_refused' | 'tls_error' | 'timeout' | 'aborted' | 'too_large' | 'broken_answer';

/** A call that got no usable answer. Its message holds no secret and nothing of the cluster's answer. */
export class SearchCallError extends TelltaleError {
  readonly failure: SearchFailure;
  /** In words, without the call. */
  readonly reason: string;

  constructor(call: string, failure: SearchFailure, reason: string) {
    super('SEARCH_CALL_FAILED', { call, reason });
    this.name = 'SearchCallError';
    this.failure = failure;
    this.reason = reason;
  }
}
