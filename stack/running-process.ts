import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TelltaleError } from '../runtime/errors.js';
import { guard } from './guard.js';
import { writePidFile } from '../runtime/process/pid-file.js';

export interface Launch {
  /** Names the log and the pid file. */
  readonly name: string;
  /** For messages: `Kafka 4.3.1`. */
  readonly title: string;
  readonly logFolder: string;
  /** Starts the process with its output going to the open log file. */
  spawn(log: number): ChildProcess;
  /** Called repeatedly until it is true, with what this run has logged so far. */
  isReady(logged: () => string): Promise<boolean> | boolean;
  readonly startMs: number;
  readonly stopMs: number;
  /** For a launcher that starts the server itself as its child: signals go to both. Spawn it `detached`. */
  readonly wholeGroup?: boolean;
}

/** A child that was started, recorded in a pid file and found ready. */
export interface RunningProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM, then SIGKILL after `stopMs`. */
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const pollMs = 50;

/** Resolves once the process is ready; rejects with SERVER_START_FAILED and the end of its log. */
export async function launch(options: Launch): Promise<RunningProcess> {
  mkdirSync(options.logFolder, { recursive: true });
  const logPath = join(options.logFolder, `${options.name}.log`);
  const pidPath = pidFileOf(options);
  rotate(logPath);
  const log = openSync(logPath, 'a');
  const before = fstatSync(log).size;
  const logged = (): string => readFileSync(logPath).subarray(before).toString();
  const child = options.spawn(log);
  closeSync(log);
  const ending = endingOf(child, () => rmSync(pidPath, { force: true }));

  const told = (what: string): TelltaleError => {
    const reason = `${what}\n${lastLines(logged())}\n(whole log: ${logPath})`;
    return new TelltaleError('SERVER_START_FAILED', { what: options.title, reason });
  };
  if (child.pid === undefined) {
    await ending.exited;
    throw told(ending.spawnError ?? 'no process');
  }
  writePidFile(pidPath, child.pid);
  guard(child);

  const running = runningOf(child, child.pid, ending, options);
  const deadline = Date.now() + options.startMs;
  while (!(await options.isReady(logged))) {
    if (ending.exit !== undefined) throw told(`it ended (${describe(ending.exit)})`);
    if (Date.now() > deadline) {
      await running.kill9();
      throw told(`it was not ready after ${options.startMs / 1000} s`);
    }
    await Promise.race([sleep(pollMs), ending.exited]);
  }
  return running;
}

interface Ending {
  readonly exited: Promise<Exit>;
  /** Set once it has exited. */
  exit?: Exit;
  /** Why there is no process. */
  spawnError?: string;
}

function endingOf(child: ChildProcess, ended: () => void): Ending {
  const ending: Ending = {
    exited: new Promise<Exit>((resolve) => {
      const settle = (how: Exit): void => {
        ending.exit = how;
        ended();
        resolve(how);
      };
      child.once('error', (error) => {
        ending.spawnError = error.message;
        settle({ code: null, signal: null });
      });
      child.once('exit', (code, signal) => settle({ code, signal }));
    }),
  };
  return ending;
}

function runningOf(
  child: ChildProcess,
  pid: number,
  ending: Ending,
  { wholeGroup, stopMs }: Pick<Launch, 'wholeGroup' | 'stopMs'>,
): RunningProcess {
  const { exited } = ending;
  const signal = (name: NodeJS.Signals): void => {
    if (wholeGroup === true && ending.exit === undefined) process.kill(-pid, name);
    else child.kill(name);
  };
  const kill9 = async (): Promise<void> => {
    signal('SIGKILL');
    await exited;
  };
  return {
    pid,
    exited,
    kill9,
    async stop() {
      if (ending.exit !== undefined) return;
      signal('SIGTERM');
      const patience = new AbortController();
      const killed = sleep(stopMs, undefined, { signal: patience.signal })
        .then(kill9)
        .catch(() => undefined);
      await exited;
      patience.abort();
      await killed;
    },
  };
}

export function pidFileOf({ logFolder, name }: Pick<Launch, 'logFolder' | 'name'>): string {
  return join(logFolder, `${name}.pid`);
}

/** The last lines of a log, which usually say why a process ended. */
export function lastLines(log: string, count = 15): string {
  return log.trimEnd().split('\n').slice(-count).join('\n');
}

/** Keeps one older log, so that logs have a bounded size. */
function rotate(path: string, most = 10 * 1024 * 1024): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > most) renameSync(path, path.replace(/\.log$/, '.previous.log'));
}

export function describe({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code ?? '?'}` : signal;
}
