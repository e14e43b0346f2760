import type { MaintenanceRun } from '../schemas/generated/maintenance-run.js';
import { avro, compactAndDeleteAfter, topic } from './topic.js';

/** The last run of each scheduled task. */
export const maintenanceRuns = topic({
  name: 'operations.maintenance',
  key: 'scheduled task',
  value: avro<MaintenanceRun>('maintenance-run'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 400 }),
  owner: 'cli/maintenance',
});
