import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../runtime/errors.js';
import { endLeftover } from '../../runtime/process/pid-file.js';
import { describe, lastLines, launch, pidFileOf, type RunningProcess } from '../../stack/running-process.js';
import type { Progress } from '../../stack/server.js';
import { nextRestart, standardPolicy, type RestartPolicy } from './restarts.js';

export interface SupervisedOptions {
  readonly name: string;
  /** Arguments of `node`: the script and its own. */
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly logFolder: string;
  readonly stopMs: number;
  readonly say: Progress;
  readonly policy?: RestartPolicy;
}

/** A process that is started again whenever it ends, until it is stopped. */
export interface Supervised {
  readonly name: string;
  readonly pid: number | undefined;
  /** True from the crash loop's first announcement until a run is healthy again. */
  readonly crashLoop: boolean;
  /** The last lines of its log. */
  lastWords(): string;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

export async function supervise(options: SupervisedOptions): Promise<Supervised> {
  const { name, say, policy = standardPolicy } = options;
  const stopped = new AbortController();
  let running: RunningProcess | undefined;
  let failures = 0;
  let crashLoop = false;

  const lastWords = (): string => lastLines(readFileSync(join(options.logFolder, `${name}.log`), 'utf8'), 8);

  const runToItsEnd = async (): Promise<string> => {
    try {
      running = await start(options);
      return describe(await running.exited);
    } catch (error) {
      return reasonOf(error);
    } finally {
      running = undefined;
    }
  };
  const runOnce = async (): Promise<void> => {
    const began = Date.now();
    const how = await runToItsEnd();
    if (stopped.signal.aborted) return;
    const restart = nextRestart(failures, Date.now() - began, policy);
    failures = restart.failures;
    crashLoop = restart.crashLoop;
    say(`${name} ended (${how}); starting it again in ${restart.delayMs / 1000} s`);
    if (crashLoop)
      say(`${name} ends again and again (${failures} times in a row). The end of its log:\n${lastWords()}`);
    await sleep(restart.delayMs, undefined, { signal: stopped.signal }).catch(() => undefined);
  };
  const runForever = async (): Promise<void> => {
    while (!stopped.signal.aborted) await runOnce();
  };

  await endLeftover(pidFileOf(options));
  const ended = runForever();
  return {
    name,
    get pid() {
      return running?.pid;
    },
    get crashLoop() {
      return crashLoop;
    },
    lastWords,
    async stop() {
      stopped.abort();
      await running?.stop();
      await ended;
    },
    async kill9() {
      stopped.abort();
      await running?.kill9();
      await ended;
    },
  };
}

/** Ready as soon as it runs: a role that waits for a server must not be ended for it. */
function start({
  name,
  command,
  environment,
  logFolder,
  stopMs,
}: SupervisedOptions): Promise<RunningProcess> {
  return launch({
    name,
    title: name,
    logFolder,
    startMs: 10_000,
    stopMs,
    isReady: () => true,
    spawn: (log) =>
      spawn(process.execPath, [...command], {
        env: environment,
        stdio: ['ignore', log, log],
        detached: true, // Ctrl-C in a terminal is ours to handle: the edge ends before what it needs
      }),
  });
}
