import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from './process-identity.js';

interface Owner {
  readonly pid: number;
  readonly identity: string;
}

/** Records which process is ours, so that a later start can end it if this one could not. */
export function writePidFile(file: string | number, pid: number): void {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  writeFileSync(file, JSON.stringify({ pid, identity } satisfies Owner));
}

/** The pid in the file, if that same process still runs; a reused pid does not count. */
export function livingOwner(path: string): number | undefined {
  const owner = readOwner(path);
  return owner !== undefined && owner.identity === processIdentity(owner.pid) ? owner.pid : undefined;
}

function readOwner(path: string): Owner | undefined {
  try {
    const noted = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner> | null;
    return typeof noted?.pid === 'number' && typeof noted.identity === 'string'
      ? (noted as Owner)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Ends the process that an earlier run recorded in this file, and nothing else. True if there was one. */
export async function endLeftover(path: string, patienceMs = 10_000): Promise<boolean> {
  const pid = livingOwner(path);
  if (pid === undefined) {
    rmSync(path, { force: true });
    return false;
  }
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + patienceMs;
  while (livingOwner(path) !== undefined && Date.now() < deadline) await sleep(50);
  if (livingOwner(path) !== undefined) process.kill(pid, 'SIGKILL');
  while (livingOwner(path) !== undefined) await sleep(20);
  rmSync(path, { force: true });
  return true;
}
