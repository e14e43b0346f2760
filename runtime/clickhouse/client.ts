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
  /** Opens the connections, where they are encrypted. */
  readonly agent?: Agent;
}

/** As the writer, by the settings. Throws TLS_FILES_INVALID. */
export function writerOptions(config: z.output<typeof clickhouseConfig>, logger: Logger): ClickHouseOptions {
  return {
    ...placeOptions(config, logger),
    user: config.CLICKHOUSE_WRITER_USER,
    password: config.CLICKHOUSE_WRITER_PASSWORD,
  };
}

/** As who may only read, by the settings. Throws TLS_FILES_INVALID. */
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

/** Where ClickHouse is, whoever asks it. Throws TLS_FILES_INVALID. */
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

/** As many as the client opens where it has an agent of its own. */
const openConnections = 10;

/** What one query may take of the server. */
export interface QueryLimits {
  readonly seconds: number;
  readonly rows: number;
  readonly memoryBytes: number;
  /** How many rows it may answer; any number where it is left out. */
  readonly answeredRows?: number;
  /** Once aborted, the query rejects with its reason, gives its connection back, and ClickHouse ends it. */
  readonly signal?: AbortSignal;
}

/** ClickHouse over HTTP. Rejects with CLICKHOUSE_UNREACHABLE for an outage, ROWS_REJECTED for rows it will never take. */
export interface ClickHouse {
  /** Statements without an answer. */
  command(sql: string): Promise<void>;
  /** Rejects with QUERY_TOO_LARGE where it would exceed its limits. Without limits it may take any time. */
  query<Row>(
    sql: string,
    parameters?: Readonly<Record<string, unknown>>,
    limits?: QueryLimits,
  ): Promise<readonly Row[]>;
  /**
   * A query that may read anything and take any time, with signs of life meanwhile. ClickHouse ends it where the connection
   * is lost, or the signal aborted; then it rejects with the signal's reason.
   */
  longQuery<Row>(
    sql: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<readonly Row[]>;
  /**
   * Inserts newline-delimited JSON objects as one block. The same token is stored once, in the table and in what its
   * materialized views write, as long as it lies in their deduplication windows.
   */
  insert(table: string, ndjson: Buffer, token: string): Promise<void>;
  /** Inserts what an INSERT … SELECT … FROM input(…) FORMAT Avro makes of an object container file, like `insert`. */
  insertAvro(
    statement: string,
    parameters: Readonly<Record<string, unknown>>,
    container: Buffer,
    token: string,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Below the server's own keep_alive_timeout (3 s by default), or a request meets a socket that is just being closed. */
const idleSocketMs = 2_000;
const requestTimeoutMs = 60_000;
/** The signs of life of a long query are headers, of some 200 bytes. */
const mostHeaderBytes = 1024 * 1024;

/** More rows, and more bytes, than a range can have. */
const unbounded = '4294967296';

/** How rows are inserted: as one block, and once a token. */
export function insertSettings(token: string): ClickHouseSettings {
  return {
    async_insert: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    deduplicate_blocks_in_dependent_materialized_views: 1,
    // The same bytes must become the same blocks, or the token would not recognise them.
    input_format_parallel_parsing: 0,
    // A token is counted a block: the largest range has to be one, whatever the server's own limits are.
    max_insert_block_size: unbounded,
    max_block_size: unbounded,
    min_insert_block_size_rows: unbounded,
    min_insert_block_size_bytes: unbounded,
    // Compiling the expressions costs more than it saves on some thousand rows: a twentieth of an insert's CPU.
    compile_expressions: 0,
    // The server refuses a statement that it can't deduplicate.
    deduplicate_insert_select: 'force_enable',
    // A field that an earlier version of the schema lacks: its default is the one of its type.
    input_format_avro_allow_missing_fields: 1,
    // A column that a row names and the table lacks means a migration is missing, not that it may be lost.
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
    // What goes wrong is thrown, and logged by who catches it.
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

/** Not by client.insert: it takes objects and encodes them itself, where these bytes are ready. */
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
  // The client heeds the signal until the answer begins.
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
    // Where the user may only read; ClickHouse would go on to the end otherwise.
    cancel_http_readonly_queries_on_client_close: 1,
  };
}

/** Signs of life, without which the client gives a query up after a minute. */
const longQuerySettings: ClickHouseSettings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '20000',
  // Only a query that may change nothing is ended with its connection.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
};
