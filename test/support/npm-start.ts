import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../../stack/ports.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const telltale = fileURLToPath(new URL('../../cli/telltale.js', import.meta.url));
const portVariables = [
  'EDGE_PORT',
  'AGENT_PORT',
  'PROCESSORS_PORT',
  'SINKS_PORT',
  'KAFKA_PORT',
  'REGISTRY_PORT',
  'CLICKHOUSE_PORT',
];

type Environment = Readonly<Record<string, string>>;

/** A free port for each variable that holds a port. */
export async function freePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of portVariables) ports[name] = String(await pickFreePort());
  return ports;
}

/** A running `npm start`. */
export interface Start {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  /** Everything that it printed. */
  printed(): string;
  /** Resolves once it has printed this; rejects if it ends first. */
  says(text: string): Promise<void>;
}

/** Runs what `npm start` runs, without npm. */
export function startDev(environment: Environment, args: readonly string[]): Start {
  return start(process.execPath, [telltale, 'dev', ...args], environment);
}

/** Runs npm with its shell and their children. */
export function startNpm(environment: Environment): Start {
  return start('npm', ['start'], environment);
}

function start(command: string, args: readonly string[], environment: Environment): Start {
  const child = spawn(command, args, {
    cwd: repository,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      JAVA_HOME: process.env['JAVA_HOME'],
      TELLTALE_CACHE: process.env['TELLTALE_CACHE'],
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  let ended = false;
  const exited = new Promise<number | null>((resolveExit) =>
    child.once('close', (code) => {
      ended = true;
      resolveExit(code);
    }),
  );
  return {
    process: child,
    exited,
    printed: () => printed,
    async says(text) {
      while (!printed.includes(text)) {
        assert.equal(ended, false, `it ended without saying "${text}":\n${printed}`);
        await sleep(50);
      }
    },
  };
}
