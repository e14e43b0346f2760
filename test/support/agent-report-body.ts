import type { AgentReportBody } from '../../schemas/agent-report.js';

/** An agent's report without content, except for `changes`. */
export const agentReportBody = (changes: Partial<AgentReportBody> = {}): AgentReportBody => ({
  ...{ agent_id: 'a', host: 'es1', version: '0.1.0', started_at: 0, every_seconds: 30, stopping: false },
  spool: { bytes: 0, limit_bytes: 1, unsent_bytes: 0, oldest_at: null, oldest_unknown: null },
  ...{ datasets: [], components: [], clusters: [], connection_tests: [], answers: [] },
  ...changes,
});
