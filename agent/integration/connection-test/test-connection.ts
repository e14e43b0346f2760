import type { SearchAnswer } from '../../collectors/client-port.js';
import type { ClusterIdentity } from '../client/identify.js';
import { refusalOf, saysNoMaster } from '../client/refusal.js';
import { masterTimeout } from '../client/waits.js';
import { asking, identified, type Subject } from './asking.js';
import type { ConnectionTestResult, Obstacle } from './result.js';

/**
 * Asks which cluster it is and for its health, and reports obstacles. Only reads. Never rejects because of the cluster.
 */
export async function testConnection(subject: Subject, signal?: AbortSignal): Promise<ConnectionTestResult> {
  const ask = asking(subject, signal);
  const identity = await identified(ask, subject);
  if ('kind' in identity) return failed(identity, subject);
  const health = await ask(
    `/_cluster/health?${masterTimeout(subject.integration)}&filter_path=status,number_of_nodes,error,status_code`,
    identity,
  );
  if ('kind' in health) return failed(health, subject, identity);
  return connected(identity, health, subject);
}

function trouble({ status, body }: SearchAnswer): string {
  const { type } = refusalOf(body);
  return saysNoMaster(type)
    ? 'no master is elected, so its status is not known: check that a majority of its master nodes is up'
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
    message: withDiagnostic(message, subject),
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
    message: withDiagnostic(message, subject),
  };
}

function withDiagnostic(message: string, { diagnostic }: Subject): string {
  return diagnostic === undefined ? message : `${message} Note: ${diagnostic}.`;
}
