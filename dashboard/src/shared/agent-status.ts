import type { Answer } from '../api/client.js';
import { formatBytes, formatPercent } from './format.js';
import type { Verdict } from './status.js';

export type Agent = Answer<'/api/v1/agents'>['agents'][number];

/** Fraction of the spool's limit at which there is still time to fix what keeps the agent from sending. */
const filling = 0.5;
const nearlyFull = 0.9;

/** How full an agent's spool is, 0 to 1. */
export function fillOf({ spool }: Pick<Agent, 'spool'>): number {
  return spool.limit_bytes === 0 ? 1 : Math.min(1, spool.bytes / spool.limit_bytes);
}

/** Each component with a problem, and the problem, as last reported. */
export const problemsOf = ({ components }: Pick<Agent, 'components'>): readonly string[] =>
  components.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`]));

/** `isOfParts`: the reason consists only of the components' problems, which some pages show separately. */
interface AgentVerdict extends Verdict {
  readonly isOfParts?: boolean;
}

/** The status of an agent by its worst problem, and the reason, which is null if it is well. */
export function evaluateAgent(agent: Agent): AgentVerdict {
  const fill = fillOf(agent);
  const waits = agent.datasets.find(({ reason }) => reason !== null)?.reason ?? null;
  const problems = problemsOf(agent);
  if (agent.state === 'silent')
    return { status: 'bad', word: 'silent', reason: 'It has not reported for some time: check its host.' };
  if (agent.state === 'stopped')
    return {
      ...{ status: 'unknown', word: 'stopped' },
      reason: 'It was told to stop, and collects nothing. Start it on its host if it should run.',
    };
  if (fill >= filling)
    return {
      status: fill >= nearlyFull ? 'bad' : 'warn',
      word: 'spool filling',
      reason: `${formatPercent(fill)} of ${formatBytes(agent.spool.limit_bytes)} are used${waits === null ? '' : `: ${waits}`}.`,
    };
  if (waits !== null) return { status: 'warn', word: 'waiting', reason: waits };
  if (problems.length > 0)
    return { status: 'warn', word: 'partly working', reason: problems.join('; '), isOfParts: true };
  return { status: 'ok', word: 'reporting', reason: null };
}

/** The text about all components of an agent if they have no problems; null if there are no components. */
export function partsWithoutProblem({
  components,
  state,
}: Pick<Agent, 'components' | 'state'>): string | null {
  if (components.length === 0) return null;
  return state === 'reporting' ? 'all are well' : 'all were well when it last reported';
}
