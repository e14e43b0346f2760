import type { Agent } from 'node:https';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client';
import type { z } from 'zod';
import type { clickhouseConfig, clickhouseReaderConfig } from './config.js';
import { TelltaleError } from '../errors.js';
import { failureOf, firstLine, isOverLimit } from './failures.js';
import type { Logger } from '../logging.js';
import { reloadingAgent } from '../tls/reloading-agent.js';

export interface ClickHouseOptions {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Opens the connections, if they are encrypted. */
  readonly agent?: Agent;
}

/** The writer's options, from the settings. Throws TLS_FILES_INVALID. */
export function writerOptions(config: z.output<typeof clickhouseConfig>, logger: Logger): ClickHouseOptions {
  return {
    ...placeOptions(config, logger),
    user: config.CLICKHOUSE_WRITER_USER,
    password: config.CLICKHOUSE_WRITER_PASSWORD,
  };
}

/** The read-only user's options, from the settings. Throws TLS_FILES_INVALID. */
export function readerOptions(
  config: z.output<typeof clickhouseConfig> & z.output<typeof clickhouseReaderConfig>,
  logger: Logger,
): ClickHouseOptions {
  return {
    ...placeOptions(config, logger),
    user: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
  };
}

/** The address of ClickHouse, for any user. Throws TLS_FILES_INVALID. */
function placeOptions(
  config: z.output<typeof clickhouseConfig>,
  logger: Logger,
): Pick<ClickHouseOptions, 'url' | 'agent'> {
  const url = config.CLICKHOUSE_URL;
  if (!url.startsWith('https:')) return { url };
  const files = {
    ca: config.CLICKHOUSE_TLS_CA_FILE,
    certificate: config.CLICKHOUSE_TLS_CERTIFICATE_FILE,
    key: config.CLICKHOUSE_TLS_KEY_FILE,
  };
  return { url, agent: reloadingAgent(files, logger, { keepAlive: true, maxSockets: openConnections }) };
}

/** The number of connections that the client opens by default, if it creates the agent itself. */
const openConnections = 10;

/** What one query may use of the server. */
export interface QueryLimits {
  readonly seconds: number;
  readonly rows: number;
  readonly memoryBytes: number;
  /** How many rows it may return; unlimited if absent. */
  readonly answeredRows?: number;
  /**
   * Once aborted, the query rejects with the signal's reason, frees its connection, and ends in ClickHouse.
   */
  readonly signal?: AbortSignal;
}

/** ClickHouse over HTTP. Rejects with CLICKHOUSE_UNREACHABLE for an outage, ROWS_REJECTED for rows it will never take. */
export interface ClickHouse {
  /** Statements without an answer. */
  command(sql: string): Promise<void>;
  /** Rejects with QUERY_TOO_LARGE if it would exceed its limits. Without limits it may run for any time. */
  query<Row>(
    sql: string,
    parameters?: Readonly<Record<string, unknown>>,
    limits?: QueryLimits,
  ): Promise<readonly Row[]>;
  /**
   * A query without limits, which reports progress while it runs. ClickHouse ends it if the connection is
   * lost or the signal is aborted. An abort rejects with the signal's reason.
   */
  longQuery<Row>(
    sql: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly Row[]>;
  /**
   * Inserts newline-delimited JSON objects as one block. One token is stored once, in the table and in the
   * targets of its materialized views, as long as it is within their deduplication windows.
   */
  insert(table: string, ndjson: Buffer, token: string): Promise<void>;
  /** Like `insert`, for an Avro object container file and an INSERT … SELECT … FROM input(…) FORMAT Avro. */
  insertAvro(
    statement: string,
    parameters: Readonly<Record<string, unknown>>,
    container: Buffer,
    token: string,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Below the server's keep_alive_timeout (3 s by default): otherwise a request can hit a closing socket. */
const idleSocketMs = 2_000;
const requestTimeoutMs = 60_000;
/** A long query reports its progress in headers of some 200 bytes each. */
const mostHeaderBytes = 1024 * 1024;

/** More rows, and more bytes, than a range can have. */
const unbounded = '4294967296';

/** Settings that insert rows as one block, once per token. */
export function insertSettings(token: string): ClickHouseSettings {
  return {
    async_insert: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    deduplicate_blocks_in_dependent_materialized_views: 1,
    // The same bytes must become the same blocks, or the token would not recognise them.
    input_format_parallel_parsing: 0,
    // A block counts as a token: the largest range must be one, whatever the server's own limits are.
    max_insert_block_size: unbounded,
    max_block_size: unbounded,
    min_insert_block_size_rows: unbounded,
    min_insert_block_size_bytes: unbounded,
    // On a few thousand rows, compiling the expressions costs more than it saves: 5 % of an insert's CPU.
    compile_expressions: 0,
    // The server refuses a statement that it can't deduplicate.
    deduplicate_insert_select: 'force_enable',
    // A field that an earlier version of the schema lacks gets the default of its type.
    input_format_avro_allow_missing_fields: 1,
    // If a row names a column that the table lacks, a migration is missing: the value must not be dropped.
    input_format_skip_unknown_fields: 0,
  };
}

export function connectClickHouse({ url, user, password, agent }: ClickHouseOptions): ClickHouse {
  const client = createClient({
    url,
    username: user,
    password,
    request_timeout: requestTimeoutMs,
    max_response_headers_size: mostHeaderBytes,
    ...(agent !== undefined && { http_agent: agent }),
    // Failures are thrown, and the catcher logs them.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { enabled: true, idle_socket_ttl: idleSocketMs },
  });
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      throw failureOf(cause, url);
    }
  };
  return {
    command: (query) =>
      guarded(async () => {
        await client.command({ query });
      }),
    query: async (sql, parameters = {}, limits?: QueryLimits) => {
      try {
        const settings = limits === undefined ? longQuerySettings : settingsOf(limits);
        return await select(client, sql, parameters, settings, limits?.signal);
      } catch (cause) {
        limits?.signal?.throwIfAborted();
        throw isOverLimit(cause)
          ? new TelltaleError('QUERY_TOO_LARGE', { reason: firstLine(cause) }, { cause })
          : failureOf(cause, url);
      }
    },
    longQuery: async (sql, parameters, signal) => {
      try {
        return await select(client, sql, parameters, longQuerySettings, signal);
      } catch (cause) {
        signal.throwIfAborted();
        throw failureOf(cause, url);
      }
    },
    insert: (table, ndjson, token) =>
      guarded(() => send(client, `INSERT INTO ${table} FORMAT JSONEachRow`, {}, ndjson, token)),
    insertAvro: (statement, parameters, container, token) =>
      guarded(() => send(client, statement, parameters, container, token)),
    async close() {
      await client.close();
      agent?.destroy();
    },
  };
}

/** Bypasses client.insert, which takes objects and encodes them itself; these bytes are encoded already. */
async function send(
  client: ClickHouseClient,
  query: string,
  parameters: Readonly<Record<string, unknown>>,
  bytes: Buffer,
  token: string,
): Promise<void> {
  const { stream } = await client.exec({
    query,
    query_params: { ...parameters },
    values: Readable.from([bytes], { objectMode: false }),
    clickhouse_settings: insertSettings(token),
  });
  await finished(stream.resume());
}

async function select<Row>(
  client: ClickHouseClient,
  query: string,
  parameters: Readonly<Record<string, unknown>>,
  settings: ClickHouseSettings,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const answer = await client.query({
    query,
    query_params: { ...parameters },
    format: 'JSONEachRow',
    clickhouse_settings: settings,
    ...(signal !== undefined && { abort_signal: signal }),
  });
  // The client heeds the signal only until the response starts.
  const close = (): void => answer.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    return await answer.json<Row>();
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

function settingsOf({ seconds, rows, memoryBytes, answeredRows }: QueryLimits): ClickHouseSettings {
  return {
    max_execution_time: seconds,
    max_rows_to_read: String(rows),
    max_memory_usage: String(memoryBytes),
    ...(answeredRows !== undefined && {
      max_result_rows: String(answeredRows),
      result_overflow_mode: 'throw',
    }),
    // Works if the user may only read. Without it ClickHouse would run the query to its end.
    cancel_http_readonly_queries_on_client_close: 1,
  };
}

/** Progress reports, without which the client abandons a query after a minute. */
const longQuerySettings: ClickHouseSettings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '20000',
  // Only a read-only query ends with its connection.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
};
