// Runs commands one after another, while other test processes run theirs. Output is shown at once, or kept in
// a file: nobody can read two interleaved reports.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const running = new Set();

export function openTestProcess(name, { keepsIn } = {}) {
  const kept = keepsIn === undefined ? undefined : join(keepsIn, `${name}.log`);
  const output = kept === undefined ? 'inherit' : openSync(kept, 'a');
  return {
    name,
    /** Resolves with whether the command succeeded. */
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
    /** All output that was kept. */
    said: () => (kept === undefined ? '' : readFileSync(kept, 'utf8')),
  };
}

/** Sends the signal to all commands that still run. */
export function endAll(signal) {
  for (const child of running) child.kill(signal);
}
