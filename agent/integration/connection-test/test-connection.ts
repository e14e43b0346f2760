import { SearchCallError, type SearchAnswer, type SearchClient } from '../../collectors/client-port.js';
import { identify, type ClusterIdentity } from '../client/identify.js';
import { refusalOf } from '../client/refusal.js';
import type { Integration } from '../config/integrations.js';
import { notSupported, obstacleOfAnswer, obstacleOfFailure } from './obstacles.js';
import type { ConnectionTestResult, Obstacle } from './result.js';

/** A cluster as the configuration has it, and what to say beside the result. */
export interface Subject {
  readonly integration: Pick<Integration, 'url' | 'authentication' | 'requestTimeoutMs'>;
  readonly client: SearchClient;
  readonly note: string | undefined;
}

/** Asks who the cluster is and how it is, and says what stands in the way. Reads only. Never rejects for the cluster's sake. */
export async function testConnection(subject: Subject, signal?: AbortSignal): Promise<ConnectionTestResult> {
  const ask = asking(subject, signal);
  const root = await ask('/');
  if ('kind' in root) return failed(root, subject);
  const found = identify(root);
  if (!found.supported) return failed(notSupported(subject.integration.url, found.reason), subject);
  // A cluster without a master would make us wait for one as long as it may.
  const health = await ask(
    `/_cluster/health?master_timeout=${masterTimeout(subject)}&filter_path=status,number_of_nodes,error,status_code`,
    hasNoMaster,
  );
  if ('kind' in health) return failed(health, subject, found.identity);
  return connected(found.identity, health, subject);
}

type Ask = (path: string, alsoFine?: (answer: SearchAnswer) => boolean) => Promise<SearchAnswer | Obstacle>;

function asking({ integration, client }: Subject, signal: AbortSignal | undefined): Ask {
  return async (path, alsoFine = () => false) => {
    try {
      const answer = await client.get(path, signal === undefined ? {} : { signal });
      if (answer.status === 200 || alsoFine(answer)) return answer;
      return obstacleOfAnswer(answer, integration);
    } catch (error) {
      if (error instanceof SearchCallError) return obstacleOfFailure(error, integration);
      throw error;
    }
  };
}

const masterTimeout = ({ integration }: Subject): string =>
  `${Math.max(1, Math.min(5_000, Math.floor(integration.requestTimeoutMs / 2)))}ms`;

function hasNoMaster({ status, body }: SearchAnswer): boolean {
  return status === 503 && refusalOf(body).type === 'master_not_discovered_exception';
}

function connected(
  { name, version }: ClusterIdentity,
  health: SearchAnswer,
  subject: Subject,
): ConnectionTestResult {
  const { status, nodes } = statusOf(health);
  const state =
    status === null
      ? 'no master is elected, so its status is not known: see that a majority of its master nodes is up'
      : `${status}, ${nodes ?? 'an unknown number of'} ${nodes === 1 ? 'node' : 'nodes'}`;
  const message = `Connected to cluster ${name} (${version}): ${state}.`;
  return {
    ok: true,
    kind: 'ok',
    clusterName: name,
    version,
    status,
    nodes,
    message: withNote(message, subject),
  };
}

const statuses = ['green', 'yellow', 'red'] as const;

function statusOf({ status: code, body }: SearchAnswer): Pick<ConnectionTestResult, 'status' | 'nodes'> {
  if (code !== 200 || typeof body !== 'object' || body === null) return { status: null, nodes: null };
  const { status, number_of_nodes: nodes } = body as { status?: unknown; number_of_nodes?: unknown };
  return {
    status: statuses.find((known) => known === status) ?? null,
    nodes: typeof nodes === 'number' ? nodes : null,
  };
}

function failed(
  { kind, message }: Obstacle,
  subject: Subject,
  identity?: ClusterIdentity,
): ConnectionTestResult {
  return {
    ok: false,
    kind,
    clusterName: identity?.name ?? null,
    version: identity?.version ?? null,
    status: null,
    nodes: null,
    message: withNote(message, subject),
  };
}

function withNote(message: string, { note }: Subject): string {
  return note === undefined ? message : `${message} Note: ${note}.`;
}
