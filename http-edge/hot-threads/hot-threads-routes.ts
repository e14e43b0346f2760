import { randomUUID } from 'node:crypto';
import { Problem, retryAfter } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { HotThreads } from '../../schemas/generated/hot-threads.js';
import { knownAgents, type KnownAgent } from '../agent-reports/agent-view.js';
import type { AgentReports } from '../agent-reports/agent-reports.js';
import type { ClusterReader } from '../clusters/cluster-reader.js';
import { isClusterUuid } from '../clusters/cluster-uuid.js';
import type { Gate } from '../http/admission.js';
import { orUnavailable } from '../http/stored-read.js';
import { clustersPath } from '../routes.js';
import { outlook, watches } from './asked-agents.js';
import type { HotThreadsLog } from './hot-threads-log.js';
import { endOf, isWaiting, newQuestion, statusOf } from './question.js';

export interface HotThreadsRoutesDependencies {
  readonly hotThreads: HotThreadsLog;
  readonly reports: AgentReports;
  readonly clusters: Pick<ClusterReader, 'cluster'>;
  readonly admission: Gate;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The most questions of a workspace that can wait at a time. */
const mostWaiting = 20;
const away = 'The stored clusters cannot be read at the moment. Try again.';

/** Asks for the hot threads of a cluster, and shows the answer, for a key with the scope `admin`. */
export function hotThreadsRoutes(dependencies: HotThreadsRoutesDependencies): readonly Route[] {
  const { hotThreads, reports, clusters, admission, clock } = dependencies;
  const pattern = `${clustersPath}/{cluster_uuid}/hot-threads`;
  const isCluster = async (workspace: string, uuid: string): Promise<boolean> =>
    knownAgents(reports.list(workspace), clock()).some((agent) => watches(agent, uuid)) ||
    (await orUnavailable(away, () => clusters.cluster({ workspace, uuid }))) !== undefined;
  const ask = async (workspace: string, uuid: string): Promise<HotThreads> => {
    const last = await hotThreads.find(workspace, uuid);
    if (last !== undefined && isWaiting(last, clock())) return last;
    if (hotThreads.list(workspace).filter((one) => isWaiting(one, clock())).length >= mostWaiting)
      throw new Problem(
        'overloaded',
        `${mostWaiting} questions of this workspace wait for an answer. Ask again when one is answered.`,
        { headers: retryAfter(10) },
      );
    const question = newQuestion(workspace, uuid, randomUUID(), clock());
    await hotThreads.put(question);
    return question;
  };
  const bodyOf = (question: HotThreads): string =>
    JSON.stringify(viewOf(question, knownAgents(reports.list(question.workspace), clock()), clock()));
  return [
    {
      method: 'POST',
      pattern,
      async handle(exchange, { cluster_uuid: uuid = '' }) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        if (!isClusterUuid(uuid) || !(await isCluster(key.workspace, uuid)))
          throw new Problem('not-found', 'This workspace has no such cluster.');
        const question = await ask(key.workspace, uuid);
        const location = pattern.replace('{cluster_uuid}', uuid);
        exchange.json(202, bodyOf(question), ['location', location, ...headers]);
      },
    },
    {
      method: 'GET',
      pattern,
      async handle(exchange, { cluster_uuid: uuid = '' }) {
        const { key, headers } = admission.admit(exchange, ['admin']);
        const question = isClusterUuid(uuid) ? await hotThreads.find(key.workspace, uuid) : undefined;
        if (question === undefined)
          throw new Problem(
            'not-found',
            'Nobody in this workspace has asked for the hot threads of this cluster within a day.',
          );
        exchange.json(200, bodyOf(question), headers);
      },
    },
  ];
}

function viewOf(question: HotThreads, agents: readonly KnownAgent[], nowMs: number): object {
  const { answered_at: answeredAt } = question;
  return {
    cluster_uuid: question.cluster_uuid,
    status: statusOf(question, nowMs),
    asked_at: iso(question.asked_at / 1_000),
    expires_at: iso(endOf(question)),
    answered_at: answeredAt === null ? null : iso(answeredAt / 1_000),
    agent_host: question.agent_host,
    hot_threads: question.hot_threads,
    detail: question.message ?? outlook(question, agents, nowMs),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
