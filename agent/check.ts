import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { reasonOf } from '../runtime/errors.js';
import type { AgentConfig } from './config.js';
import { isLoopback } from '../runtime/http/host.js';
import type { AgentComponent } from './component.js';

/** What an agent with this configuration would do, and what would prevent it. */
export interface AgentCheck {
  readonly does: readonly string[];
  /** Mistakes in the configuration: the agent would not start, or would not do what is meant. */
  readonly problems: readonly string[];
  /** Undefined where the server accepts this agent's data. */
  readonly server: string | undefined;
}

export async function checkAgent(
  config: AgentConfig,
  components: readonly AgentComponent[],
): Promise<AgentCheck> {
  const does = [
    `listens on ${config.AGENT_HOST}:${config.AGENT_PORT}${config.AGENT_TOKEN === '' ? '' : ', for who shows the token'}`,
    `keeps at most ${Math.round(config.AGENT_SPOOL_BYTES / 2 ** 20)} MiB in ${config.AGENT_FOLDER}`,
    `sends to ${config.AGENT_SERVER_URL}`,
  ];
  if (!isLoopback(config.AGENT_HOST) && config.AGENT_TOKEN === '')
    does.push('takes data from other machines without a token: set AGENT_TOKEN');
  const problems: string[] = [];
  for (const component of components) {
    const found = await component.check?.(config);
    does.push(...(found?.does ?? []));
    problems.push(...(found?.problems ?? []));
  }
  return { does, problems, server: await serverObstacle(config) };
}

const answerMs = 5_000;

/** Sends a batch without its id: the server refuses it for that once it has found the key to be good. */
async function serverObstacle({
  AGENT_SERVER_URL: url,
  AGENT_API_KEY: key,
}: AgentConfig): Promise<string | undefined> {
  if (key === '') return 'there is no API key: set AGENT_API_KEY; until then everything stays in the spool';
  let status: number;
  try {
    status = await statusOf(new URL(`${url.replace(/\/+$/, '')}/api/v1/agent/events`), key);
  } catch (error) {
    return `the server at ${url} can not be reached (${reasonOf(error)})`;
  }
  if (status === 400) return undefined;
  if (status === 401) return `the server at ${url} refuses the API key`;
  if (status === 403) return 'the API key lacks the scope `agent`';
  return `what answers at ${url} is not a Telltale server, or not well (status ${status})`;
}

function statusOf(target: URL, key: string): Promise<number> {
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/x-ndjson',
    'content-length': 0,
  };
  return new Promise((resolve, reject) => {
    const request = send(target, { method: 'POST', headers, agent: false, timeout: answerMs }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('timeout', () => request.destroy(new Error(`no answer within ${answerMs / 1_000} s`)));
    request.once('error', reject);
    request.end();
  });
}
