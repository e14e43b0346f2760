import { spawn } from 'node:child_process';
import { endLeftover } from '../../runtime/process/pid-file.js';
import { launch, pidFileOf, type Launch, type RunningProcess } from '../../stack/running-process.js';

export interface NodeProcess extends Pick<Launch, 'name' | 'logFolder' | 'stopMs'> {
  /** The script and its arguments. */
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts a role. It counts as started once it runs: a role that waits for a server must not be killed. */
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
          detached: true, // we handle Ctrl-C: the edge must end before the servers it needs
        }),
    });
  };
}
