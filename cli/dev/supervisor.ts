import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../runtime/errors.js';
import { describe, lastLines, type RunningProcess } from '../../stack/running-process.js';
import type { Progress } from '../../stack/server.js';
import { nextRestart, standardPolicy, type RestartPolicy } from './restarts.js';

export interface SupervisedOptions {
  readonly name: string;
  /** The folder of `<name>.log`. */
  readonly logFolder: string;
  readonly say: Progress;
  /** Rejects if it can't be started. */
  start(): Promise<RunningProcess>;
  readonly policy?: RestartPolicy;
}

/** A process that is restarted whenever it ends, until it is stopped. */
export interface Supervised {
  readonly name: string;
  readonly pid: number | undefined;
  /** Settles with the first start. If that fails, it is not retried. */
  readonly started: Promise<void>;
  /** True from the crash loop's first announcement until a run is healthy again. */
  readonly crashLoop: boolean;
  /** The last lines of its log. */
  lastWords(): string;
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

interface End {
  readonly how: string;
  readonly ranMs: number;
}

export function supervise(options: SupervisedOptions): Supervised {
  const { name, say, policy = standardPolicy } = options;
  const log = join(options.logFolder, `${name}.log`);
  const stopped = new AbortController();
  let running: RunningProcess | undefined;
  let failures = 0;
  let crashLoop = false;

  const isStopped = (): boolean => stopped.signal.aborted;
  const lastWords = (): string => (existsSync(log) ? lastLines(readFileSync(log, 'utf8'), 8) : '');

  const untilItEnds = async (started: RunningProcess): Promise<End> => {
    running = started;
    const began = Date.now();
    if (isStopped()) await started.stop();
    const exit = await started.exited;
    running = undefined;
    return { how: `ended (${describe(exit)})`, ranMs: Date.now() - began };
  };
  const runAgain = async (): Promise<End> => {
    try {
      return await untilItEnds(await options.start());
    } catch (error) {
      return { how: `could not be started (${reasonOf(error).split('\n')[0] ?? ''})`, ranMs: 0 };
    }
  };
  const pauseAfter = async ({ how, ranMs }: End): Promise<void> => {
    const restart = nextRestart(failures, ranMs, policy);
    failures = restart.failures;
    crashLoop = restart.crashLoop;
    say(`${name} ${how}; starting it again in ${restart.delayMs / 1000} s`);
    if (crashLoop)
      say(`${name} keeps ending (${failures} times in a row). The end of ${log}:\n${lastWords()}`);
    await sleep(restart.delayMs, undefined, { signal: stopped.signal }).catch(() => undefined);
  };
  const keepRunning = async (first: RunningProcess): Promise<void> => {
    let end = await untilItEnds(first);
    while (!isStopped()) {
      await pauseAfter(end);
      if (!isStopped()) end = await runAgain();
    }
  };

  const first = options.start();
  const ended = first.then(keepRunning, () => undefined);
  const end = (how: 'stop' | 'kill9') => async (): Promise<void> => {
    stopped.abort();
    if (running === undefined) return; // if it is still starting, it is stopped as soon as it runs
    await running[how]();
    await ended;
  };
  return {
    name,
    get pid() {
      return running?.pid;
    },
    started: first.then(() => undefined),
    get crashLoop() {
      return crashLoop;
    },
    lastWords,
    stop: end('stop'),
    kill9: end('kill9'),
  };
}
