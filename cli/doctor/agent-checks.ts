import { agentViews, type AgentView } from '../../http-edge/agent-reports/agent-view.js';
import { version } from '../../runtime/version.js';
import type { AgentReport } from '../../schemas/generated/agent-report.js';
import { duration } from '../lag/lag-text.js';
import { good, named, problem, warning, type Check } from './check.js';

export interface AgentChecksOptions {
  /** The last report of each agent. */
  readonly reports: () => Promise<readonly AgentReport[]>;
  readonly now?: () => number;
}

/** Fraction of the spool's limit at which there is still time to fix what keeps the agent from sending. */
const filling = 0.5;
/** Fraction of the limit at which clients will soon get 503. */
const full = 0.9;

const shareOf = ({ spool }: AgentView): number => spool.bytes / Math.max(1, spool.limit_bytes);
const nameOf = ({ host, agent_id: id }: AgentView): string => `${host} (${id})`;

/** Checks that agents report, and that they can send their spools to the server. */
export function agentChecks({ reports, now = Date.now }: AgentChecksOptions): readonly Check[] {
  const agents = async (): Promise<readonly AgentView[]> => agentViews(await reports(), now());
  return [
    {
      name: 'agents',
      async look() {
        const all = await agents();
        const silent = all.filter(({ state }) => state === 'silent');
        if (silent.length > 0)
          return warning(
            `No reports from: ${named(silent.map((one) => `${nameOf(one)} for ${duration((now() - Date.parse(one.last_seen_at)) / 1_000)}`))}.`,
            'See on its host whether the agent runs and reaches the edge: `GET http://127.0.0.1:3774/status`. An agent that was permanently removed is forgotten after a week.',
          );
        const old = all.filter((one) => one.is_older_than_server);
        return old.length > 0
          ? warning(
              `Older than this version (${version}): ${named(old.map((one) => `${nameOf(one)}, ${one.version}`))}.`,
              'Upgrade them: a server accepts data of older agents, but they might not send all that it shows.',
            )
          : good(`Reported within a week: ${all.length}. None is silent, or older than ${version}.`);
      },
    },
    {
      name: 'spools of agents',
      async look() {
        const all = await agents();
        const tight = all.filter((one) => shareOf(one) >= filling);
        if (tight.length === 0) return good(`None of ${all.length} is half full.`);
        const detail = `Filling up: ${named(tight.map((one) => `${nameOf(one)} at ${Math.floor(shareOf(one) * 100)} %${whyOf(one)}`))}.`;
        const cure =
          'Fix what keeps the agent from sending; raise AGENT_SPOOL_BYTES if it has to bridge longer outages. A full spool accepts nothing more.';
        return tight.some((one) => shareOf(one) >= full) ? problem(detail, cure) : warning(detail, cure);
      },
    },
  ];
}

function whyOf({ datasets }: AgentView): string {
  const reason = datasets.find((one) => one.reason !== null)?.reason ?? null;
  return reason === null ? '' : ` (${reason})`;
}
