import type { DashboardSession } from '../schemas/generated/dashboard-session.js';
import { avro, compactAndDeleteAfter, topic } from './topic.js';

/** Sessions of the dashboard. None lasts longer than a day, so older records are of no use to any edge. */
export const dashboardSessions = topic({
  name: 'access.dashboard-sessions',
  key: 'session id',
  value: avro<DashboardSession>('dashboard-session'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 2 }),
  owner: 'cli, http-edge',
});
