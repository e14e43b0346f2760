import { commandOf, parentOf, processIdentity } from '../../runtime/process/process-identity.js';
import type { Progress } from '../../stack/server.js';
import type { Shutdown } from './shutdown.js';

const lookEveryMs = 1_000;

/**
 * Requests a stop when npm, or the shell in which it runs scripts, has ended: a signal to either does not
 * reach this process. Returns the function that stops watching.
 */
export function stopWithNpm(
  shutdown: Pick<Shutdown, 'request'>,
  environment: NodeJS.ProcessEnv,
  say: Progress,
  parent = process.ppid,
): () => void {
  const identities = new Map(processesOfNpm(environment, parent).map((pid) => [pid, processIdentity(pid)]));
  const watch = setInterval(() => {
    for (const [pid, identity] of identities) {
      if (processIdentity(pid) === identity) continue;
      clearInterval(watch);
      say('npm has ended: stopping');
      shutdown.request('npm has ended');
      return;
    }
  }, lookEveryMs);
  return () => clearInterval(watch);
}

/**
 * npm and its shell, if `npm start` runs this process. None if anything else runs it (systemd, nohup, a
 * script): the end of that means nothing. A shell that runs a single command can replace itself with it
 * (exec): then npm is the parent.
 */
export function processesOfNpm(environment: NodeJS.ProcessEnv, parent = process.ppid): readonly number[] {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = environment;
  if (event !== 'start') return [];
  const isShell = commandOf(parent)?.includes(script) === true;
  const npm = isShell ? parentOf(parent) : undefined;
  return npm === undefined ? [parent] : [parent, npm];
}
