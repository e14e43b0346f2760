import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync } from 'node:fs';
import { writePidFile } from './pid-file.js';

const linux = process.platform === 'linux';
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** macOS locks a file as it opens it, with O_EXLOCK, for which Node has no name. */
const flags = O_RDWR | O_CREAT | O_APPEND | (linux ? 0 : O_NONBLOCK | 0x20);

/**
 * Takes a lock and returns the function that releases it; undefined if another process has it. The kernel
 * keeps the lock until its owner releases it or dies, even an owner in another container that can't be seen
 * from here. The file names the owner. It is never removed: a lock on a removed file keeps nobody out.
 */
export function tryLock(path: string): (() => void) | undefined {
  let file = openLocked(path);
  if (file === undefined) return undefined;
  try {
    ftruncateSync(file);
    writePidFile(file, process.pid);
  } catch {
    // On a full disk the lock still holds, but names no owner.
  }
  return () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
}

function openLocked(path: string): number | undefined {
  try {
    const file = openSync(path, flags, 0o600);
    if (!linux || flock(file)) return file;
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return undefined;
}

/**
 * Node has no call for this. The command locks the open file that it inherits, for as long as we hold it
 * open.
 */
function flock(file: number): boolean {
  const stdio = ['ignore', 'ignore', 'pipe', file] as const;
  const { status, stderr, error } = spawnSync('flock', ['-n', '3'], { stdio: [...stdio], encoding: 'utf8' });
  if (status === 0) return true;
  if (status === 1 && stderr === '') return false;
  closeSync(file);
  throw new Error(error?.message ?? `flock: ${stderr.trim()}`);
}
