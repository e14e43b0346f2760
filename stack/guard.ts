import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** How long a child may take to end cleanly once its parent is gone. */
const patienceSeconds = 12;

const waitThenEnd = `read -r _; kill -TERM "$1" || exit
n=0; while [ $n -lt ${patienceSeconds} ] && kill -0 "$1"; do sleep 1; n=$((n+1)); done
kill -KILL "$1"`;

/**
 * Ends `child` when this process has ended for whatever reason. A shell waits on a pipe whose other end only
 * this process holds; the kernel closes that end even after `kill -9`. The guard itself ends with the child.
 */
export function guard(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const shell = spawn('/bin/sh', ['-c', waitThenEnd, 'guard', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined); // without a shell, only the pid file is left
  shell.stdin.on('error', () => undefined);
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  child.once('exit', () => shell.kill('SIGKILL'));
}
