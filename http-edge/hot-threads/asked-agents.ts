import type { AgentReportBody } from '../../schemas/agent-report.js';
import type { HotThreads } from '../../schemas/generated/hot-threads.js';
import { hotThreadsKind, type AskedOfAgent } from '../../schemas/hot-threads.js';
import type { KnownAgent } from '../agent-reports/agent-view.js';
import { isWaiting } from './question.js';

/** One agent is asked first. After this long, the others are asked too, in case the first has died. */
const othersMs = 45_000;

/** The questions for this agent, in the answer to its report. */
export function askedOf(
  report: AgentReportBody,
  waiting: readonly HotThreads[],
  others: readonly KnownAgent[],
  nowMs: number,
): AskedOfAgent['asked'] {
  const agents = [
    { said: report, state: report.stopping ? 'stopped' : 'reporting', seenMs: nowMs } as const,
    ...others.filter(({ said }) => nameOf(said) !== nameOf(report)),
  ];
  return waiting
    .filter(({ cluster_uuid: uuid, asked_at: askedAt }) => {
      const turn = askable(agents, uuid).findIndex(({ said }) => said === report);
      return turn === 0 || (turn > 0 && nowMs - askedAt / 1_000 > othersMs);
    })
    .map(({ question_id, cluster_uuid }) => ({ kind: hotThreadsKind, question_id, cluster_uuid }));
}

export const watches = ({ said }: KnownAgent, uuid: string): boolean =>
  said.clusters.some(({ cluster_uuid: of }) => of === uuid);

/** The state of a question without an answer, in words: which agent it waits for, or why it failed. */
export function outlook(question: HotThreads, agents: readonly KnownAgent[], nowMs: number): string {
  const { cluster_uuid: uuid, asked_at: askedAt } = question;
  const watching = agents.filter((agent) => watches(agent, uuid));
  const [last] = watching;
  if (last === undefined)
    return isWaiting(question, nowMs)
      ? 'No agent has reported yet that it watches this cluster. An agent that has just started does so within a minute.'
      : 'No agent that reported within a week watches this cluster.';
  const reporting = watching.find(({ state }) => state === 'reporting');
  if (reporting === undefined) return `${goneWords(last)} It is the last one that watched this cluster.`;
  const [first] = askable(agents, uuid);
  if (first === undefined)
    return `${agentOn(reporting)} has version ${reporting.said.version}, which cannot answer this. Upgrade it.`;
  const isAsked = first.seenMs > askedAt / 1_000;
  if (!isWaiting(question, nowMs))
    return `${agentOn(first)} reports, but has not answered. Its log says why; asking again is safe.`;
  return isAsked
    ? `${agentOn(first)} was asked at ${iso(first.seenMs)}, and has not answered yet.`
    : `${agentOn(first)} will be asked when it next reports: it reports every ${first.said.every_seconds} s.`;
}

/**
 * The agents that can be asked about the cluster now: first those that reach it, then the rest in an order that all
 * edges share.
 */
function askable(agents: readonly KnownAgent[], uuid: string): readonly KnownAgent[] {
  const reaches = ({ said }: KnownAgent): boolean =>
    said.clusters.some(({ cluster_uuid: of, state }) => of === uuid && state === 'watching');
  return agents
    .filter((agent) => agent.state === 'reporting' && agent.said.answers.includes(hotThreadsKind))
    .filter((agent) => watches(agent, uuid))
    .sort(
      (one, other) =>
        Number(reaches(other)) - Number(reaches(one)) || nameOf(one.said).localeCompare(nameOf(other.said)),
    );
}

const nameOf = ({ agent_id: id, host }: AgentReportBody): string => `${id}/${host}`;
const agentOn = ({ said }: KnownAgent): string => `The agent on ${said.host}`;
const goneWords = (agent: KnownAgent): string =>
  agent.state === 'stopped'
    ? `${agentOn(agent)} was stopped at ${iso(agent.seenMs)}.`
    : `${agentOn(agent)} has been silent since ${iso(agent.seenMs)}.`;
const iso = (ms: number): string => new Date(ms).toISOString();
