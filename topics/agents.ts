import type { AgentReport } from '../schemas/generated/agent-report.js';
import { avro, compactAndDeleteAfter, topic } from './topic.js';

/** The last report of each agent. An agent that has not reported for a week is forgotten. */
export const agentReports = topic({
  name: 'operations.agents',
  key: 'workspace/agent/host',
  value: avro<AgentReport>('agent-report'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 7 }),
  owner: 'http-edge',
});
