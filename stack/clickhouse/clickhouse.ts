import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TelltaleError } from '../../runtime/errors.js';
import { processServer, type LocalServer } from '../process-server.js';
import type { Account, ServerOptions } from '../server.js';
import { configXml, usersXml } from './engine-config.js';
import type { StartEngine } from './engine-process.js';
import { workspaceAnalystsXml, type WorkspaceAnalyst } from './workspace-analysts.js';

const title = 'ClickHouse (embedded)';
const enginePath = fileURLToPath(new URL('./engine-process.js', import.meta.url));
const profilesPath = fileURLToPath(new URL('../../deploy/clickhouse/profiles.xml', import.meta.url));

export interface ClickHouseOptions extends ServerOptions {
  readonly writer: Account;
  readonly edge: Account;
  readonly analyst: Account;
  readonly workspaceAnalysts: readonly WorkspaceAnalyst[];
}

/** ClickHouse's engine from npm, with its own HTTP server, in a child process. */
export function clickhouseServer(options: ClickHouseOptions): LocalServer {
  const folder = (name: string): string => join(options.dataFolder, name);
  const engine: Account = { user: 'engine', password: randomBytes(24).toString('base64url') };

  const prepare = () => {
    const library = requireEngine();
    mkdirSync(folder('db'), { recursive: true });
    mkdirSync(folder('etc'), { recursive: true, mode: 0o700 });
    const usersFile = join(folder('etc'), 'users.xml');
    const logFile = join(options.logFolder, 'clickhouse.engine.log');
    writeFileSync(usersFile, usersXml({ ...options, engine }), { mode: 0o600 });
    // The engine adds the files of this folder to users.xml.
    mkdirSync(folder('etc/users.d'), { recursive: true, mode: 0o700 });
    // Written, not copied: a copy keeps the mode of its source, and others could read it.
    writeFileSync(folder('etc/users.d/profiles.xml'), readFileSync(profilesPath));
    const analysts = workspaceAnalystsXml(options.workspaceAnalysts, ['127.0.0.1', '::1']);
    writeFileSync(folder('etc/users.d/analysts.xml'), analysts, { mode: 0o600 });
    writeFileSync(join(folder('etc'), 'config.xml'), configXml(usersFile, logFile), { mode: 0o600 });
    rmSync(folder('ready'), { force: true });
    let ready = false;
    const order: StartEngine = {
      library,
      databaseFolder: folder('db'),
      configFile: join(folder('etc'), 'config.xml'),
      port: options.port,
      readyFile: folder('ready'),
      account: engine,
    };
    const spawn = (log: number): ChildProcess => {
      const child = forkEngine(log, order);
      child.once('message', () => (ready = true));
      return child;
    };
    return Promise.resolve({ spawn, isReady: () => ready });
  };

  return processServer(
    {
      name: 'clickhouse',
      title,
      url: `http://127.0.0.1:${options.port}`,
      startMs: 240_000,
      stopMs: 4_500,
      prepare,
    },
    options,
  );
}

function forkEngine(log: number, order: StartEngine): ChildProcess {
  const child = fork(enginePath, [], {
    stdio: ['ignore', log, log, 'ipc'],
    detached: true, // Ctrl-C in a terminal is ours to handle: the stages end first
    cwd: order.databaseFolder,
    execArgv: [],
    env: { PATH: process.env['PATH'], HOME: dirname(order.configFile), TZ: 'UTC' },
  });
  if (child.connected) child.send(order);
  return child;
}

function requireEngine(): string {
  const libc = process.platform === 'linux' ? '-gnu' : '';
  const name = `@chdb/lib-${process.platform}-${process.arch}${libc}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'libchdb.so');
  } catch (cause) {
    const reason =
      `the package ${name} is not installed, and there may be none for this platform. ` +
      'Set CLICKHOUSE_URL to a ClickHouse of your own (docs/local-stack.md)';
    throw new TelltaleError('SERVER_START_FAILED', { what: title, reason }, { cause });
  }
}
