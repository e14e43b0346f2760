import { spawn } from 'node:child_process';
import { endLeftover } from '../../runtime/process/pid-file.js';
import { launch, pidFileOf, type Launch, type RunningProcess } from '../../stack/running-process.js';

export interface NodeProcess extends Pick<Launch, 'name' | 'logFolder' | 'stopMs'> {
  /** Arguments of `node`: the script and its arguments. */
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts a role. It counts as started as soon as it runs, because one that waits for a server must not be ended. */
export function nodeProcess({ command, environment, ...options }: NodeProcess) {
  return async (): Promise<RunningProcess> => {
    await endLeftover(pidFileOf(options));
    return launch({
      ...options,
      title: options.name,
      startMs: 10_000,
      isReady: () => true,
      spawn: (log) =>
        spawn(process.execPath, [...command], {
          env: environment,
          stdio: ['ignore', log, log],
          detached: true, // Ctrl-C in a terminal is ours to handle: the edge ends before what it needs
        }),
    });
  };
}
