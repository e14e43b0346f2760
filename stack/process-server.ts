import { mkdirSync } from 'node:fs';
import { requireFreePort } from './ports.js';
import { endLeftover } from '../runtime/process/pid-file.js';
import { launch, pidFileOf, type Launch, type RunningProcess } from './running-process.js';
import type { Server, ServerOptions } from './server.js';

export interface ProcessServer {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly startMs: number;
  readonly stopMs: number;
  readonly wholeGroup?: boolean;
  /** Downloads and formats what is still missing; returns the launch of this start. */
  prepare(): Promise<Pick<Launch, 'spawn' | 'isReady'>>;
}

/** A server that is a process of this machine. */
export interface LocalServer extends Server {
  /** Like `start`, and returns the process. */
  run(): Promise<RunningProcess>;
}

/** A server that is one process: ends leftovers, checks the port, starts it, waits for it, stops it. */
export function processServer(definition: ProcessServer, options: ServerOptions): LocalServer {
  const { name, title, url } = definition;
  const say = options.progress ?? (() => undefined);
  let running: RunningProcess | undefined;

  const run = async (): Promise<RunningProcess> => {
    if (running !== undefined) return running;
    mkdirSync(options.dataFolder, { recursive: true });
    mkdirSync(options.logFolder, { recursive: true });
    const leftover = await endLeftover(pidFileOf({ name, logFolder: options.logFolder }));
    if (leftover) say(`${title}: ended one that an earlier run had left behind`);
    await requireFreePort(options.port, title, options.portVariable);
    const prepared = await definition.prepare();
    const began = Date.now();
    const started = await launch({ ...definition, ...options, ...prepared });
    running = started;
    void started.exited.then(() => {
      if (running === started) running = undefined;
    });
    say(`${title} ready on port ${options.port} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    return started;
  };

  return {
    name,
    url,
    get pid() {
      return running?.pid;
    },
    run,
    start: async () => {
      await run();
    },
    stop: async () => running?.stop(),
    kill9: async () => running?.kill9(),
  };
}
