import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { version } from '../../runtime/version.js';
import { agentReport, agentsPath, type AgentReportBody } from '../../schemas/agent-report.js';
import type { AskedOfAgent } from '../../schemas/hot-threads.js';
import { askedOf } from '../hot-threads/asked-agents.js';
import type { HotThreadsLog } from '../hot-threads/hot-threads-log.js';
import { isWaiting } from '../hot-threads/question.js';
import type { Admission, Gate } from '../http/admission.js';
import { checkedBody } from '../http/checked-body.js';
import type { AgentReports } from './agent-reports.js';
import { knownAgents, listedAgents } from './agent-view.js';

interface Dependencies {
  readonly reports: AgentReports;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The largest report: room for a hundred clusters. */
const bodyLimit = 256 * 1024;

/**
 * The most characters that a workspace's reports may have together: room for some thousand agents. Every edge
 * holds them in memory.
 */
const workspaceLimit = 16 * 1024 * 1024;

/** `POST /api/v1/agents`: an agent reports its state, and the answer contains the questions for it. */
export function agentReportRoute({
  reports,
  hotThreads,
  admission,
  clock,
}: Dependencies & { readonly hotThreads: HotThreadsLog; readonly admission: Admission }): Route {
  const questionsFor = (report: AgentReportBody, workspace: string): AskedOfAgent['asked'] => {
    const questions = hotThreads.list(workspace).filter((one) => isWaiting(one, clock()));
    if (questions.length === 0) return [];
    return askedOf(report, questions, knownAgents(reports.list(workspace), clock()), clock());
  };
  return {
    method: 'POST',
    pattern: agentsPath,
    async handle(exchange) {
      const { key, headers } = await admission.admitWork(exchange, ['agent']);
      const report = await checkedBody(exchange, bodyLimit, agentReport, 'This is not an agent’s report.');
      const host = report.host.toWellFormed();
      const record = {
        workspace: key.workspace,
        agent_id: report.agent_id.toWellFormed(),
        key_id: key.key_id,
        received_at: Math.round(clock() * 1_000),
        report: JSON.stringify(report),
      };
      if (reports.totalSizeWithout(record, host) + record.report.length > workspaceLimit)
        throw new Problem(
          'overloaded',
          'The agent reports of this workspace within a week exceed what an edge holds for one workspace. Keep the data folder of agents that restart, so that they keep their ids.',
          { headers: retryAfter(3_600) },
        );
      await reports.put(record, host);
      const asked = questionsFor(report, key.workspace);
      if (asked.length === 0) exchange.answer(204, '', '', headers);
      else exchange.json(200, JSON.stringify({ asked }), headers);
    },
  };
}

/** `GET /api/v1/agents`: the agents of the key's workspace, for a key with the scope `read`. */
export function agentsRoute({
  reports,
  admission,
  clock,
}: Dependencies & { readonly admission: Gate }): Route {
  return {
    method: 'GET',
    pattern: agentsPath,
    handle(exchange) {
      const { key, headers } = admission.admit(exchange, ['read']);
      const listed = listedAgents(reports.list(key.workspace), clock());
      exchange.json(200, JSON.stringify({ server_version: version, ...listed }), headers);
    },
  };
}
