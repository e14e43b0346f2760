import { hostname } from 'node:os';
import { createTask } from 'node-cron';
import { reasonOf } from '../../runtime/errors.js';
import type { Stoppable } from '../../runtime/lifecycle.js';
import type { Logger } from '../../runtime/logging.js';
import {
  RunClaim,
  type NotTaken,
  type Outcome,
  type RunClaimOptions,
} from '../../runtime/maintenance/run-claim.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { Schedule, TaskName } from './config.js';
import { maintenanceMetrics, type MaintenanceMetrics } from './metrics.js';
import type { Findings, Task } from './tasks.js';

export interface MaintenanceOptions extends Omit<RunClaimOptions, 'process'> {
  readonly schedule: Schedule;
  readonly tasks: Readonly<Record<TaskName, Task>>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Runs each task at its scheduled time, unless another process does. */
export function startMaintenance(options: MaintenanceOptions): Stoppable {
  const metrics = maintenanceMetrics(options.metrics);
  const claims = { ...options, process: `${hostname()}:${process.pid}` };
  const scheduled = [...options.schedule].map(([name, expression]) => {
    const run: ScheduledRun = { task: name, work: options.tasks[name], metrics, claims };
    const logger = options.logger.child({ task: name });
    const settings = { timezone: 'UTC', noOverlap: true, logger: cronLogger(logger) };
    const task = createTask(expression, ({ date }) => runTask(run, date, logger), settings);
    task.on('execution:overlap', () => leave(run, 'running', logger));
    task.on('execution:missed', ({ date }) =>
      logger.warn(
        { event: 'scheduled-task-missed', due: date },
        'a scheduled task came too late, and is skipped',
      ),
    );
    return task;
  });
  for (const task of scheduled) void task.start();
  return {
    name: 'maintenance',
    // A current run ends with the process. Its claim expires, and another process can claim the next run.
    async stop() {
      for (const task of scheduled) await task.destroy();
    },
  };
}

interface ScheduledRun {
  readonly task: TaskName;
  readonly work: Task;
  readonly metrics: MaintenanceMetrics;
  readonly claims: RunClaimOptions;
}

function leave({ task, metrics }: ScheduledRun, why: NotTaken, logger: Logger): void {
  metrics.leftToOthers(task, why);
  if (why === 'running')
    logger.warn(
      { event: 'scheduled-task-skipped' },
      'a scheduled task is skipped: its last run has not ended',
    );
}

async function runTask(run: ScheduledRun, due: Date, logger: Logger): Promise<void> {
  const { task, work, metrics, claims } = run;
  let claim: Awaited<ReturnType<typeof RunClaim.take>>;
  try {
    claim = await RunClaim.take(claims, task, due);
  } catch (error) {
    metrics.ran(task, 'failed');
    logger.error(
      { event: 'scheduled-task-not-claimed', reason: reasonOf(error) },
      'a scheduled task did not run: it is not known which process has claimed it',
    );
    return;
  }
  if (claim === 'done' || claim === 'running') {
    leave(run, claim, logger);
    return;
  }
  const began = performance.now();
  const { outcome, detail, findings } = await outcomeOf(work);
  const seconds = (performance.now() - began) / 1_000;
  for (const line of findings?.lines ?? []) logger.warn({ event: 'scheduled-task-finding' }, line);
  const level = outcome === 'failed' ? 'error' : 'info';
  logger[level](
    { event: 'scheduled-task-run', outcome, seconds, ...findings?.counts, detail },
    'a scheduled task has run',
  );
  metrics.ran(task, outcome, seconds, findings);
  try {
    const isHeld = await claim.end(outcome, detail);
    if (!isHeld)
      logger.warn(
        { event: 'scheduled-task-run-twice' },
        'the task ran twice: this process stalled for longer than its claim lasts, and another process ran it too',
      );
  } catch (error) {
    logger.warn(
      { event: 'scheduled-task-end-not-kept', reason: reasonOf(error) },
      'the end of a scheduled task could not be recorded',
    );
  }
}

async function outcomeOf(
  work: Task,
): Promise<{ readonly outcome: Outcome; readonly detail: string; readonly findings?: Findings }> {
  try {
    const findings = await work();
    const { lines } = findings;
    return lines.length === 0
      ? { outcome: 'good', detail: 'Nothing is wrong.', findings }
      : { outcome: 'found', detail: lines.join('\n'), findings };
  } catch (error) {
    return { outcome: 'failed', detail: reasonOf(error) };
  }
}

/** The library's warnings are also events; they are logged there. */
function cronLogger(logger: Logger) {
  const debug = (message: string | Error): void =>
    logger.debug({ event: 'scheduler-message', reason: reasonOf(message) }, 'schedule');
  return { info: debug, warn: debug, debug, error: debug };
}
