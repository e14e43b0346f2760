import type { ProcessReport } from '../schemas/generated/process-report.js';
import { avro, compactAndDeleteAfter, topic } from './topic.js';

/** The last report of each process about its errors. It counts for a minute; the topic keeps it for a day. */
export const processReports = topic({
  name: 'operations.processes',
  key: 'process id',
  value: avro<ProcessReport>('process-report'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 1 }),
  owner: 'cli/process-reports',
});
