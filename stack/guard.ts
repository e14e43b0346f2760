import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Ends `child` when this process is gone, however it went: a shell waits on a pipe whose other end only we hold, and
 * the kernel closes it even after `kill -9`. The guard itself goes away with the child.
 */
export function guard(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const shell = spawn(
    '/bin/sh',
    ['-c', 'read -r _; kill -TERM "$1" 2>/dev/null', 'guard', String(child.pid)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  shell.on('error', () => undefined); // without a shell, the pid file alone has to do
  shell.stdin.on('error', () => undefined);
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  child.once('exit', () => shell.kill('SIGKILL'));
}
