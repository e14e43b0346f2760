import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const linux = process.platform === 'linux';

/**
 * Distinguishes a process from a later one with the same pid, by its start time. Undefined if no such process
 * runs. It never changes while the process runs. A command line does: Linux shows none in the middle of exec.
 */
export function processIdentity(pid: number): string | undefined {
  return linux ? fromProc(pid) : fromPs(pid, 'lstart=');
}

function fromProc(pid: number): string | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // proc(5): the command in parentheses may contain spaces; state is the first field after it, start time the 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : `${bootId() ?? ''} ${fields[19] ?? ''}`;
}

/** Identifies one start of this machine. Undefined if the system does not say. */
export function bootId(): string | undefined {
  return readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim();
}

/** The command line of a process; undefined if there is no such process. */
export function commandOf(pid: number): string | undefined {
  return linux
    ? readOrUndefined(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()
    : fromPs(pid, 'command=');
}

/** The parent of a process; undefined if there is no such process. */
export function parentOf(pid: number): number | undefined {
  const text = linux
    ? /^PPid:\s+(\d+)/m.exec(readOrUndefined(`/proc/${pid}/status`) ?? '')?.[1]
    : fromPs(pid, 'ppid=');
  return text === undefined ? undefined : Number(text);
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function fromPs(pid: number, column: string): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}
