import type { NotTaken, Outcome } from '../../runtime/maintenance/run-claim.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { TaskName } from './config.js';
import type { Findings } from './tasks.js';

/** The metrics of a process about the scheduled tasks. */
export interface MaintenanceMetrics {
  ran(task: TaskName, outcome: Outcome, seconds?: number, findings?: Findings): void;
  leftToOthers(task: TaskName, why: NotTaken): void;
}

export function maintenanceMetrics(metrics: Metrics): MaintenanceMetrics {
  const runs = metrics.counter(
    'telltale_maintenance_runs_total',
    'Runs of scheduled tasks in this process, by outcome: good, found, failed; skipped if the last run had not ended.',
    ['task', 'outcome'],
  );
  const seconds = metrics.histogram(
    'telltale_maintenance_run_seconds',
    'How long runs of scheduled tasks took.',
    ['task'],
    [0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800],
  );
  const findings = metrics.gauge(
    'telltale_maintenance_findings',
    'What the last run of a scheduled task found; no sample if another process ran it.',
    ['task', 'finding'],
  );
  const shown = new Map<TaskName, readonly string[]>();
  // Whichever process runs the task now, this process's earlier findings are out of date.
  const show = (task: TaskName, counts: Findings['counts']): void => {
    for (const finding of shown.get(task) ?? []) findings.remove({ task, finding });
    for (const [finding, count] of Object.entries(counts)) findings.set({ task, finding }, count);
    shown.set(task, Object.keys(counts));
  };
  return {
    ran(task, outcome, took, found) {
      runs.inc({ task, outcome });
      if (took !== undefined) seconds.observe({ task }, took);
      show(task, found?.counts ?? {});
    },
    leftToOthers(task, why) {
      if (why === 'done') show(task, {});
      else runs.inc({ task, outcome: 'skipped' });
    },
  };
}
