import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RegistryConfig } from '../../runtime/kafka/client/config.js';
import { pickFreePort } from '../../stack/ports.js';
import { httpsCall } from './https-call.js';
import { savings } from './savings.js';

const telltale = fileURLToPath(new URL('../../cli/telltale.js', import.meta.url));

/** A role of the pipeline as a real process, which a test can kill and restart. */
export interface Role {
  readonly url: string;
  readonly pid: number | undefined;
  start(): Promise<void>;
  kill9(): Promise<void>;
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
  log(): string;
}

export interface RoleOptions {
  /** The path of another checkout's CLI. */
  readonly program?: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** The variable for the port of its HTTP endpoint. */
  readonly portVariable: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Whether it has the certificate of the tests. */
  readonly https?: boolean;
  /** Whether it starts an operating-system session, which the scheduler treats as one group. */
  readonly ownSession?: boolean;
}

export async function role(options: RoleOptions): Promise<Role> {
  const { program = telltale } = options;
  const port = await pickFreePort();
  const url = `${options.https === true ? 'https' : 'http'}://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let exited: Promise<number | null> = Promise.resolve(null);
  mkdirSync(dirname(options.logFile), { recursive: true });

  const isReady = async (): Promise<boolean> => {
    try {
      if (options.https === true) return (await httpsCall(`${url}/readyz`)).status === 200;
      return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })).ok;
    } catch {
      return false;
    }
  };
  const log = (): string => readFileSync(options.logFile, 'utf8').slice(-4_000);

  const self: Role = {
    url,
    get pid() {
      return child?.pid;
    },
    log,
    async start() {
      const out = openSync(options.logFile, 'a');
      const started = spawn(process.execPath, [program, options.command, ...(options.args ?? [])], {
        env: {
          PATH: process.env['PATH'] ?? '',
          LOG_FORMAT: 'json',
          ...options.environment,
          [options.portVariable]: String(port),
        },
        stdio: ['ignore', out, out],
        detached: options.ownSession ?? false,
      });
      closeSync(out);
      child = started;
      exited = new Promise((resolve) => started.once('exit', (code) => resolve(code)));
      const deadline = Date.now() + 240_000;
      while (!(await isReady())) {
        if (started.exitCode !== null)
          throw new Error(`${options.command} exited with ${started.exitCode}:\n${log()}`);
        if (Date.now() > deadline) throw new Error(`${options.command} is not ready after 240 s:\n${log()}`);
        await sleep(50);
      }
    },
    async kill9() {
      child?.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child?.kill('SIGTERM');
      return exited;
    },
  };
  return self;
}

/** The variables with which a role finds the servers of a stack, and those that save time in tests. */
export function stackEnvironment(stack: {
  readonly brokers: readonly string[];
  readonly registryConfig: RegistryConfig;
  readonly clickhouse: {
    readonly url: string;
    readonly writer: { readonly user: string; readonly password: string };
    readonly edge: { readonly user: string; readonly password: string };
  };
}): Record<string, string> {
  return {
    ...savings(),
    KAFKA_BROKERS: stack.brokers.join(','),
    ...stack.registryConfig,
    CLICKHOUSE_URL: stack.clickhouse.url,
    CLICKHOUSE_WRITER_USER: stack.clickhouse.writer.user,
    CLICKHOUSE_WRITER_PASSWORD: stack.clickhouse.writer.password,
    CLICKHOUSE_USER: stack.clickhouse.edge.user,
    CLICKHOUSE_PASSWORD: stack.clickhouse.edge.password,
  };
}

/** Runs a CLI command to its end and returns its output; throws with the output if it fails. */
export async function runTelltale(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = telltale,
): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`telltale ${args.join(' ')} exited with ${String(code)}:\n${stdout}${stderr}`);
  return stdout;
}

/** A CLI command that a test can kill; its output is ignored. */
export function spawnTelltale(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): { readonly exited: Promise<number | null>; interrupt(): void; kill9(): void } {
  const child = spawn(process.execPath, [telltale, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: 'ignore',
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    exited,
    interrupt: () => void child.kill('SIGINT'),
    kill9: () => void child.kill('SIGKILL'),
  };
}

/** The folder for the logs and stores of one test. */
export function roleFolder(base: string, name: string): string {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
