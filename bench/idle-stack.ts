import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { livingOwner } from '../runtime/process/pid-file.js';
import { cpuSeconds } from './process-figures.js';

/**
 * What an unused stack of `npm start` costs: the processor time of each of its processes, all threads. Start
 * it, wait until it has settled, and run `node dist/bench/idle-stack.js [seconds]`. Linux only: it reads
 * /proc.
 */
export async function measureIdleStack(logs: string, seconds: number): Promise<ReadonlyMap<string, number>> {
  const pids = readdirSync(logs)
    .filter((file) => file.endsWith('.pid'))
    .flatMap((file) => {
      const pid = livingOwner(join(logs, file));
      return pid === undefined ? [] : [[file.replace('.pid', ''), pid] as const];
    });
  const before = pids.map(([, pid]) => cpuSeconds(pid));
  await sleep(seconds * 1_000);
  return new Map(
    pids.map(([name, pid], at) => [name, ((cpuSeconds(pid) - (before[at] ?? 0)) / seconds) * 100]),
  );
}

if (process.argv[1] === import.meta.filename) {
  const logs = resolve(process.env['TELLTALE_HOME'] ?? '.telltale', 'logs');
  const found = await measureIdleStack(logs, Number(process.argv[2] ?? 60));
  const total = [...found.values()].reduce((sum, percent) => sum + percent, 0);
  for (const [name, percent] of [...found, ['all', total] as const])
    console.log(`${name.padEnd(12)}${percent.toFixed(1).padStart(6)} % of a core`);
}
