import { Transport, WeightedConnectionPool } from '@elastic/elasticsearch';
import type { Readable } from 'node:stream';
import { reasonOf, TelltaleError } from '../../../runtime/errors.js';
import {
  SearchCallError,
  type CallOptions,
  type SearchAnswer,
  type SearchClient,
  type SearchFailure,
} from '../../collectors/client-port.js';
import { explanationFields } from '../../collectors/parse/explanation.js';
import type { Authentication } from '../config/authentication.js';
import type { Integration } from '../config/integrations.js';
import type { LiveTrust } from './trust.js';
import { allowedCall, explainPath, type AllowedCall } from './allow-list.js';
import { deadline, type Deadline } from './deadline.js';
import { AnswerTooLarge, readBody } from './read-body.js';
import { readRows } from './read-rows.js';
import { SearchConnection, type SearchConnectionOptions } from './search-connection.js';

const mebibyte = 1024 * 1024;

/** The longest answer that is accepted, decompressed: some 250,000 shards. */
const largestAnswerBytes = 32 * mebibyte;

/** The outcome of one call, for metrics. */
export interface CallOutcome {
  readonly call: AllowedCall;
  /** The status of the answer; without one, the failure. */
  readonly outcome: number | SearchFailure;
  /** The size of the answer's body, decompressed. */
  readonly bytes: number;
  readonly ms: number;
}

export interface SearchClientOptions {
  readonly integration: Pick<Integration, 'url' | 'authentication' | 'requestTimeoutMs'>;
  readonly trust: Pick<LiveTrust, 'now'>;
  readonly largestAnswer?: number;
  readonly onCall?: (outcome: CallOutcome) => void;
}

export interface OpenSearchClient extends SearchClient {
  close(): Promise<void>;
}

/**
 * The client of one cluster, on the official client's transport. It uses plain JSON, because one major
 * refuses the media type of another. It uses none of the official product checks, which would refuse 7.0 to
 * 7.13; `identify` checks the product. Nothing is retried: a cluster in trouble is asked again in the next
 * cycle.
 */
export function createSearchClient(options: SearchClientOptions): OpenSearchClient {
  const { integration, trust, largestAnswer = largestAnswerBytes, onCall } = options;
  const pool = new WeightedConnectionPool({ Connection: SearchConnection });
  const connection: SearchConnectionOptions = {
    url: new URL(integration.url),
    timeout: integration.requestTimeoutMs,
    headers: headersOf(integration.authentication),
    trust,
  };
  pool.addConnection(connection);
  const transport = new Transport({
    connectionPool: pool,
    maxRetries: 0,
    requestTimeout: integration.requestTimeoutMs,
    headers: { 'user-agent': 'telltale-agent', 'accept-encoding': 'gzip', accept: 'application/json' },
    openTelemetry: { enabled: false },
  });

  const send = async (
    method: 'GET' | 'POST',
    path: string,
    body: object | undefined,
    given?: CallOptions,
  ) => {
    const allowed = allowedCall(method, path);
    const call = `${method} ${path.split('?', 1)[0] ?? ''}`;
    if (allowed === undefined) throw new TelltaleError('CALL_NOT_ALLOWED', { call });
    const began = performance.now();
    const limit = deadline(integration.requestTimeoutMs, given?.signal);
    const note = (outcome: CallOutcome['outcome'], bytes: number): void =>
      onCall?.({ call: allowed, outcome, bytes, ms: performance.now() - began });
    try {
      const {
        statusCode,
        headers,
        body: stream,
      } = await transport.request<Readable>(
        { method, path, ...(body === undefined ? {} : { body }) },
        { asStream: true, meta: true, signal: limit.signal },
      );
      const encoding = headers['content-encoding'];
      if (given?.onRow !== undefined && statusCode === 200) {
        const size = await readRows(stream, encoding, largestAnswer, given.onRow);
        note(statusCode, size);
        return { status: statusCode, body: [], bytes: size };
      }
      const bytes = await readBody(stream, encoding, largestAnswer);
      const answer = answerOf(statusCode, headers['content-type'], bytes);
      note(statusCode, bytes.length);
      return answer;
    } catch (error) {
      const failed = failureOf(error, call, limit, integration.requestTimeoutMs);
      note(failed.failure, 0);
      throw failed;
    } finally {
      limit.release();
    }
  };

  return {
    get: (path, given) => send('GET', path, undefined, given),
    explain: (shard, given) => send('POST', `${explainPath}?filter_path=${explanationFields}`, shard, given),
    close: () => pool.empty().then(() => undefined),
  };
}

function headersOf(authentication: Authentication): Record<string, string> {
  if (authentication.kind === 'none') return {};
  if (authentication.kind === 'api-key')
    return { authorization: `ApiKey ${authentication.encoded.reveal()}` };
  const { username, password } = authentication;
  return { authorization: `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}` };
}

function answerOf(status: number, type: string | undefined, bytes: Buffer): SearchAnswer {
  const text = bytes.toString();
  const isJson = /^application\/(?:vnd\.elasticsearch\+)?json\b/.test(type ?? '') && text !== '';
  return { status, body: isJson ? (JSON.parse(text) as unknown) : text, bytes: bytes.length };
}

/** The failure, without the request's headers, which errors of the transport contain. */
function failureOf(error: unknown, call: string, limit: Deadline, timeoutMs: number): SearchCallError {
  const ended = limit.reason();
  if (ended === 'timeout')
    return new SearchCallError(call, 'timeout', `no whole answer within ${timeoutMs} ms`);
  if (ended === 'aborted') return new SearchCallError(call, 'aborted', 'it was cancelled');
  if (error instanceof SearchCallError) return error;
  if (error instanceof AnswerTooLarge) return new SearchCallError(call, 'too_large', error.message);
  // JSON.parse quotes the text that it could not parse.
  const reason = error instanceof SyntaxError ? 'the answer claims to be JSON but is not' : reasonOf(error);
  return new SearchCallError(call, 'broken_answer', reason);
}
