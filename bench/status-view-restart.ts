import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startStatusView } from '../http-edge/status-view/status-view.js';
import { createHealth } from '../runtime/health.js';
import { silentLogger } from '../runtime/logging.js';
import { createMetrics } from '../runtime/metrics.js';
import { taskStatus } from '../topics/scoring.js';
import { statusCodec, writeStatuses } from './status-topic.js';
import { plaintext } from '../runtime/kafka/client/kafka-access.js';

/**
 * How long an edge takes until its status view is ready, and how much memory, with this many tasks: built
 * from the topic (an empty folder), and restarted on its own store.
 */
export interface ViewStart {
  readonly seconds: number;
  /** Resident set when ready, MiB; including file pages of the store. */
  readonly residentMiB: number;
  /** Without file pages, MiB. */
  readonly anonymousMiB: number;
}

export async function measureViewRestart(
  brokers: readonly string[],
  tasks: number,
  say: (line: string) => void,
): Promise<{ readonly built: ViewStart; readonly restarted: ViewStart }> {
  const topic = `bench.task-status.${randomUUID().slice(0, 8)}`;
  const folder = mkdtempSync(join(tmpdir(), 'telltale-view-'));
  try {
    say(`writing the statuses of ${tasks} tasks`);
    await writeStatuses(brokers, topic, tasks);
    const built = await startInChild(brokers, topic, folder);
    say(`built: ${JSON.stringify(built)}`);
    await writeStatuses(brokers, topic, 1_000);
    const restarted = await startInChild(brokers, topic, folder);
    say(`restarted: ${JSON.stringify(restarted)}`);
    return { built, restarted };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const self = fileURLToPath(import.meta.url);

async function startInChild(brokers: readonly string[], topic: string, folder: string): Promise<ViewStart> {
  const child = fork(self, ['view', brokers.join(','), topic, folder]);
  const measured = await new Promise<ViewStart>((resolve, reject) => {
    child.once('message', (message) => resolve(message as ViewStart));
    child.once('exit', (code) => reject(new Error(`the view's process ended with ${String(code)}`)));
  });
  child.send('stop');
  await new Promise((resolve) => child.once('exit', resolve));
  return measured;
}

function kilobytes(field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}

if (process.argv[1] === self && process.argv[2] === 'view') {
  const [brokers = '', topic = '', folder = ''] = process.argv.slice(3);
  const health = createHealth();
  const started = performance.now();
  const view = startStatusView({
    folder,
    retentionMs: 7 * 86_400_000,
    topic: { ...taskStatus, name: topic },
    codec: statusCodec(),
    kafka: { brokers: brokers.split(','), security: plaintext, clientId: 'bench', logger: silentLogger },
    condition: health.condition('status view'),
    metrics: createMetrics(),
  });
  while (!health.readiness().ready) await sleep(5);
  process.send?.({
    seconds: Math.round((performance.now() - started) / 10) / 100,
    residentMiB: Math.round(kilobytes('VmRSS') / 1024),
    anonymousMiB: Math.round(kilobytes('RssAnon') / 1024),
  } satisfies ViewStart);
  process.once('message', () => void view.stop().then(() => process.exit(0)));
}
