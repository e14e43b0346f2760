import type { ProcessReport } from '../schemas/generated/process-report.js';
import { avro, compactAndDeleteAfter, topic } from './topic.js';

/** What each process last said of its errors. A report counts for a minute; the topic forgets it after a day. */
export const processReports = topic({
  name: 'operations.processes',
  key: 'process id',
  value: avro<ProcessReport>('process-report'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 1 }),
  owner: 'cli/process-reports',
});
