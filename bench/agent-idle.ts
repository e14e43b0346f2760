import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pickFreePort } from '../stack/ports.js';
import { cpuSeconds } from './process-figures.js';

/** What an idle agent costs. Linux only: it reads /proc. */
export interface IdleFigures {
  readonly secondsToReady: number;
  readonly residentMegabytes: number;
  readonly percentOfACore: number;
}

export async function measureIdleAgent(seconds: number): Promise<IdleFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-agent-'));
  const port = await pickFreePort();
  const began = performance.now();
  const agent = spawn(process.execPath, [resolve('dist/cli/telltale-agent.js')], {
    cwd: folder,
    env: { AGENT_PORT: String(port), AGENT_SERVER_URL: 'http://127.0.0.1:9', AGENT_API_KEY: 'tt_a_b' },
    stdio: 'ignore',
  });
  try {
    const ready = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await ready())) await sleep(5);
    const secondsToReady = (performance.now() - began) / 1_000;
    const pid = agent.pid ?? 0;
    const before = cpuSeconds(pid);
    await sleep(seconds * 1_000);
    return {
      secondsToReady,
      residentMegabytes: residentMegabytes(pid),
      percentOfACore: ((cpuSeconds(pid) - before) / seconds) * 100,
    };
  } finally {
    agent.kill('SIGTERM');
    await new Promise((done) => agent.once('exit', done));
    rmSync(folder, { recursive: true, force: true });
  }
}

function residentMegabytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1_024;
}

if (process.argv[1] === import.meta.filename) console.log(await measureIdleAgent(60));
