import type { Answer } from '../api/client.js';
import { formatBytes, formatPercent } from './format.js';
import type { Verdict } from './status.js';

export type Agent = Answer<'/api/v1/agents'>['agents'][number];

/** The part of its limit at which time is left to remove what keeps the agent from sending. */
const filling = 0.5;
const nearlyFull = 0.9;

/** How full an agent's spool is, 0 to 1. */
export function fillOf({ spool }: Pick<Agent, 'spool'>): number {
  return spool.limit_bytes === 0 ? 1 : Math.min(1, spool.bytes / spool.limit_bytes);
}

/** Each component that does not work as it should, with its problem, as the agent said last. */
export const problemsOf = ({ components }: Pick<Agent, 'components'>): readonly string[] =>
  components.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));

/** Where its reason is the problems of its parts alone, `isOfParts` says so, for pages that show each part beside it. */
interface AgentVerdict extends Verdict {
  readonly isOfParts?: boolean;
}

/** The status of an agent, by its worst problem, and the reason; null where it is well. */
export function evaluateAgent(agent: Agent): AgentVerdict {
  const fill = fillOf(agent);
  const waits = agent.datasets.find(({ reason }) => reason !== null)?.reason ?? null;
  const problems = problemsOf(agent);
  if (agent.state === 'silent')
    return { status: 'bad', word: 'silent', reason: 'It has not reported for some time: see its host.' };
  if (agent.state === 'stopped')
    return {
      ...{ status: 'unknown', word: 'stopped' },
      reason: 'It was told to stop, and collects nothing. Start it on its host where it should.',
    };
  if (fill >= filling)
    return {
      status: fill >= nearlyFull ? 'bad' : 'warn',
      word: 'spool filling',
      reason: `${formatPercent(fill)} of ${formatBytes(agent.spool.limit_bytes)} are taken${waits === null ? '' : `: ${waits}`}.`,
    };
  if (waits !== null) return { status: 'warn', word: 'waiting', reason: waits };
  if (problems.length > 0)
    return { status: 'warn', word: 'in part', reason: problems.join('; '), isOfParts: true };
  return { status: 'ok', word: 'reporting', reason: null };
}

/** What an agent says of all its parts together where it names no problem; null where it has none. */
export function partsWithoutProblem({
  components,
  state,
}: Pick<Agent, 'components' | 'state'>): string | null {
  if (components.length === 0) return null;
  return state === 'reporting' ? 'all are well' : 'all were well when it last reported';
}
