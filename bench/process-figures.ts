import { readFileSync } from 'node:fs';

/** The clock of /proc, which is the same on all present Linux systems. */
const ticksPerSecond = 100;

/** CPU seconds of a process, all threads; from /proc, so that programs in any language are measured alike. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The peak memory of a process, in MB. */
export function peakMegabytes(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1_024) / 1e6;
}
