import { SearchCallError, type SearchAnswer, type SearchClient } from '../../collectors/client-port.js';
import { identify, type ClusterIdentity } from '../client/identify.js';
import { refusalOf, saysNoMaster } from '../client/refusal.js';
import { masterTimeout } from '../client/waits.js';
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
  const health = await ask(
    `/_cluster/health?${masterTimeout(subject.integration)}&filter_path=status,number_of_nodes,error,status_code`,
    found.identity,
  );
  if ('kind' in health) return failed(health, subject, found.identity);
  return connected(found.identity, health, subject);
}

/** `cluster` once it has said who it is: trouble that it tells of itself is then no obstacle to the connection. */
type Ask = (path: string, cluster?: ClusterIdentity) => Promise<SearchAnswer | Obstacle>;

function asking({ integration, client }: Subject, signal: AbortSignal | undefined): Ask {
  return async (path, cluster) => {
    try {
      const answer = await client.get(path, signal === undefined ? {} : { signal });
      if (answer.status === 200 || (cluster !== undefined && tellsOfTrouble(answer))) return answer;
      return obstacleOfAnswer(answer, integration, cluster);
    } catch (error) {
      if (error instanceof SearchCallError) return obstacleOfFailure(error, integration);
      throw error;
    }
  };
}

/** A gateway's 503 holds no error of Elasticsearch. */
function tellsOfTrouble({ status, body }: SearchAnswer): boolean {
  return (status === 500 || status === 503) && refusalOf(body).type !== null;
}

function trouble({ status, body }: SearchAnswer): string {
  const { type } = refusalOf(body);
  return saysNoMaster(type)
    ? 'no master is elected, so its status is not known: see that a majority of its master nodes is up'
    : `its status could not be read, as it answers ${status} (${type ?? 'no status'}): see its log`;
}

function connected(
  { name, version }: ClusterIdentity,
  health: SearchAnswer,
  subject: Subject,
): ConnectionTestResult {
  const { status, nodes } = statusOf(health);
  const state =
    status === null
      ? trouble(health)
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
