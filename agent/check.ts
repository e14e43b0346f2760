import { reasonOf } from '../runtime/errors.js';
import type { AgentConfig } from './config.js';
import { isLoopback } from '../runtime/http/host.js';
import type { AgentComponent } from './component.js';
import { asksForBatchId, type Answer } from './forwarder/answer.js';
import { createBatchPoster } from './forwarder/post-batch.js';

/** What an agent with this configuration would do, and what would prevent it. */
export interface AgentCheck {
  readonly does: readonly string[];
  /** Mistakes in the configuration: the agent would not start, or would not do what is meant. */
  readonly problems: readonly string[];
  /** Why the server does not accept this agent's data; undefined if it does. */
  readonly server: string | undefined;
}

export async function checkAgent(
  config: AgentConfig,
  components: readonly AgentComponent[],
): Promise<AgentCheck> {
  const does = [
    `listens on ${config.AGENT_HOST}:${config.AGENT_PORT}${config.AGENT_TOKEN === '' ? '' : ', for clients with the token'}`,
    `keeps at most ${Math.round(config.AGENT_SPOOL_BYTES / 2 ** 20)} MiB in ${config.AGENT_FOLDER}`,
    `sends to ${config.AGENT_SERVER_URL}`,
  ];
  if (!isLoopback(config.AGENT_HOST) && config.AGENT_TOKEN === '')
    does.push('accepts data from other machines without a token: set AGENT_TOKEN');
  const problems: string[] = [];
  for (const component of components) {
    const found = await component.check?.(config);
    does.push(...(found?.does ?? []));
    problems.push(...(found?.problems ?? []));
  }
  return { does, problems, server: await serverObstacle(config) };
}

const answerMs = 5_000;

async function serverObstacle({
  AGENT_SERVER_URL: url,
  AGENT_API_KEY: key,
}: AgentConfig): Promise<string | undefined> {
  if (key === '') return 'there is no API key: set AGENT_API_KEY; until then everything stays in the spool';
  const poster = createBatchPoster();
  let answer: Answer;
  try {
    answer = await poster.ask('events', { url, key }, AbortSignal.timeout(answerMs));
  } catch (error) {
    const isLate = (error as Error).name === 'AbortError';
    const reason = isLate ? `no answer within ${answerMs / 1_000} s` : reasonOf(error);
    return `the server at ${url} cannot be reached (${reason})`;
  } finally {
    poster.close();
  }
  if (asksForBatchId(answer)) return undefined;
  if (answer.status === 401) return `the server at ${url} refuses the API key`;
  if (answer.status === 403) return 'the API key lacks the scope `agent`';
  return `the server at ${url} is not a Telltale server, or is unhealthy (status ${answer.status})`;
}
