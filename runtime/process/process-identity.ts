import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells a process from a later one with the same pid: the time of its start, and its command line. Undefined where no
 * such process runs.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the command in parentheses may contain spaces; state is the first field after it, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    return `${fields[19] ?? ''} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`;
  } catch {
    return undefined;
  }
}

/** The parent of a process; undefined where there is no such process. */
export function parentOf(pid: number): number | undefined {
  try {
    const text =
      process.platform === 'linux'
        ? (/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '')
        : execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
    return text.trim() === '' ? undefined : Number(text);
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' });
    return line.trim() === '' ? undefined : line.trim();
  } catch {
    return undefined;
  }
}
