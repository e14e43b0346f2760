import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { parentOf } from '../../runtime/process/process-identity.js';

/** A process and its descendants, read from Linux's /proc. */

export function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
  return [pid, ...children.flatMap(descendantsOf)];
}

export function environmentOfProcess(pid: number): string {
  return readFileSync(`/proc/${pid}/environ`, 'utf8');
}

export interface ListeningPort {
  /** In hexadecimal, as /proc has it. */
  readonly address: string;
  readonly port: number;
}

/** The TCP ports that these processes listen on. */
export function listeningPorts(pids: readonly number[]): ListeningPort[] {
  const inodes = new Set(pids.flatMap(socketsOf));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === listening && inodes.has(fields[9] ?? ''))
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':');
        return { address, port: Number.parseInt(port, 16) };
      }),
  );
}

/** proc(5): the state TCP_LISTEN. */
const listening = '0A';

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => socketOf(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}

function socketOf(fd: string): string[] {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(fd))?.slice(1) ?? [];
  } catch {
    return [];
  }
}
