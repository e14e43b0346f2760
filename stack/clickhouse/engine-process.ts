/**
 * The child process that runs ClickHouse. It calls the engine inside libchdb, whose main function opens an
 * HTTP port and then runs an endless query. The engine ends the whole process when it returns, so it must not
 * run in any other process. The parent sends one `StartEngine`; the child answers `{ ready: true }`. SIGTERM,
 * SIGINT and the parent's death stop it.
 */
import { readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { DataType, load, open } from 'ffi-rs';
import type { Account } from '../server.js';
import { openTerminalAsStdin } from './terminal-stdin.js';

export interface StartEngine {
  readonly library: string;
  readonly databaseFolder: string;
  readonly configFile: string;
  readonly port: number;
  /** A query writes this file once the port is open: another server on that port could answer a ping. */
  readonly readyFile: string;
  /** The user that may end the endless query. */
  readonly account: Account;
}

const endlessQuery =
  'SELECT sleepEachRow(0.5) FROM system.numbers ' +
  'SETTINGS max_block_size = 1, max_execution_time = 0, max_rows_to_read = 0 FORMAT Null';

let engine: StartEngine | undefined;
let listening = false;
let stopping = false;

process.on('message', (message: StartEngine) => start(message));
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, stop);

function start(wanted: StartEngine): void {
  engine = wanted;
  const interactive = openTerminalAsStdin() ? interactiveFlags(wanted) : [];
  const argv = ['clickhouse-local', ...interactive, '--progress=off', ...engineFlags(wanted)];
  open({ library: 'chdb', path: wanted.library });
  void load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [argv.length, argv],
    runInNewThread: true,
  }).then(() => process.exit(stopping ? 0 : 70));
  announceWhenListening(wanted.readyFile);
}

/**
 * With a pipe as its input the engine installs an error handler that aborts the process after one stray network error
 * (a TLS hello on the plain port is enough); on a terminal, in interactive mode, it does not.
 */
const interactiveFlags = ({ readyFile }: StartEngine): string[] => [
  '--interactive',
  '--disable_suggestion',
  // The engine makes this file unreadable to all other users: run by root, it would do so to the machine's /dev/null.
  `--history_file=${join(dirname(readyFile), 'history')}`,
  '--enable-progress-table-toggle=0',
  '--highlight=0',
  '--chime=0',
];

function engineFlags({ databaseFolder, configFile, port, readyFile }: StartEngine): string[] {
  const file = readyFile.replace(/[\\']/g, '\\$&');
  const queries = [
    'SYSTEM START LISTEN HTTP',
    `SELECT getServerPort('http_port') INTO OUTFILE '${file}' FORMAT TSV`,
    endlessQuery,
  ];
  return [
    `--path=${databaseFolder}`,
    `--config-file=${configFile}`,
    '--listen_host=127.0.0.1',
    `--http_port=${port}`,
    // ClickHouse's own limit, in place of that of this session's user; it does not affect other sessions.
    '--max_query_size=262144',
    `--query=${queries.join('; ')}`,
  ];
}

function announceWhenListening(readyFile: string): void {
  const poll = setInterval(() => {
    if (!isWritten(readyFile)) return;
    clearInterval(poll);
    rmSync(readyFile);
    listening = true;
    process.send?.({ ready: true });
  }, 10);
}

function isWritten(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').endsWith('\n');
  } catch {
    return false;
  }
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  if (engine === undefined || !listening) process.exit(0);
  endEndlessQuery(engine);
}

/** Lets the engine's main function return, so that it flushes and closes everything. */
function endEndlessQuery({ port, account }: StartEngine): void {
  const kill = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    agent: false,
    timeout: 2000,
    headers: {
      'x-clickhouse-user': account.user,
      'x-clickhouse-key': account.password,
      connection: 'close',
    },
  });
  kill.on('response', (response) => response.resume());
  kill.on('error', () => process.exit(1));
  kill.end("KILL QUERY WHERE query LIKE 'SELECT sleepEachRow(0.5) FROM system.numbers %' ASYNC");
}
