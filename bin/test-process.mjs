// Commands one after another, while other test processes have theirs. What one says is shown as it comes, or kept in a file: two
// reports that come at once nobody can read.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const running = new Set();

export function openTestProcess(name, { keepsIn } = {}) {
  const kept = keepsIn === undefined ? undefined : join(keepsIn, `${name}.log`);
  const output = kept === undefined ? 'inherit' : openSync(kept, 'a');
  return {
    name,
    /** Whether the command ended well. */
    run: (command, args) =>
      new Promise((resolve) => {
        const child = spawn(command, args, { stdio: ['ignore', output, output] });
        running.add(child);
        const end = (isWell) => {
          running.delete(child);
          resolve(isWell);
        };
        child.once('error', () => end(false));
        child.once('exit', (code) => end(code === 0));
      }),
    /** All that was kept. */
    said: () => (kept === undefined ? '' : readFileSync(kept, 'utf8')),
  };
}

/** Ends what all of them have started. */
export function endAll(signal) {
  for (const child of running) child.kill(signal);
}
