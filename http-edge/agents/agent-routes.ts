import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { version } from '../../runtime/version.js';
import { agentReport, agentsPath, type AgentReportBody } from '../../schemas/agent-report.js';
import type { Admission, Gate } from '../http/admission.js';
import type { AgentReports } from './agent-reports.js';
import { agentViews } from './agent-view.js';

interface Dependencies {
  readonly reports: AgentReports;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Of a report: room for a hundred clusters. */
const bodyLimit = 256 * 1024;

/** `POST /api/v1/agents`: an agent says how it is. */
export function agentReportRoute({
  reports,
  admission,
  clock,
}: Dependencies & { readonly admission: Admission }): Route {
  return {
    method: 'POST',
    pattern: agentsPath,
    async handle(exchange) {
      const { key, headers } = await admission.admitWork(exchange, ['agent']);
      checkBodyHeaders(exchange, bodyLimit);
      const report = reportOf(parseJson(await readBody(exchange, bodyLimit)));
      await reports.put(
        {
          workspace: key.workspace,
          agent_id: report.agent_id.toWellFormed(),
          key_id: key.key_id,
          received_at: Math.round(clock() * 1_000),
          report: JSON.stringify(report),
        },
        report.host.toWellFormed(),
      );
      exchange.answer(204, '', '', headers);
    },
  };
}

function reportOf(body: unknown): AgentReportBody {
  const parsed = agentReport.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, 20).map(({ path, message }) => ({
    pointer: path.map((part) => `/${String(part)}`).join(''),
    detail: message,
  }));
  throw new Problem('invalid', 'This is no report of an agent.', { errors });
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
      const agents = agentViews(reports.list(key.workspace), clock());
      exchange.json(200, JSON.stringify({ server_version: version, agents }), headers);
    },
  };
}
