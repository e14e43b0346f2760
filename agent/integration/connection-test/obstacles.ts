import type { SearchAnswer, SearchCallError } from '../../collectors/client-port.js';
import type { ClusterIdentity } from '../client/identify.js';
import { couldNotCheckKey, isOfCluster, refusalOf } from '../client/refusal.js';
import type { Integration } from '../config/integrations.js';
import type { Obstacle } from './result.js';

type Asked = Pick<Integration, 'url' | 'authentication' | 'requestTimeoutMs'>;

const supported = 'Elasticsearch 7.x, 8.x and 9.x are supported';

/** Why there was no answer, and the remedy. */
export function obstacleOfFailure({ failure, reason }: SearchCallError, asked: Asked): Obstacle {
  const { url, requestTimeoutMs } = asked;
  switch (failure) {
    case 'connection_refused':
      return { kind: 'connection_refused', message: `${refused(reason, url)} (${reason}).` };
    case 'tls_error':
      return { kind: 'tls_error', message: `TLS with ${url} fails: ${reason}. ${tlsCure(reason)}` };
    case 'timeout':
      return {
        kind: 'timeout',
        message: `${url} accepts the connection, but gave no complete answer within ${requestTimeoutMs} ms. If the cluster is slow, raise requestTimeoutMs; if this persists, check that the port is the one for HTTP.`,
      };
    case 'aborted':
      return { kind: 'timeout', message: 'The test was cancelled before the cluster had answered.' };
    case 'too_large':
    case 'broken_answer':
      return notSupported(url, `its answer can't be read: ${reason}`);
  }
}

function refused(reason: string, url: string): string {
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `The name in ${url} is not known to this host. Check host`;
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|no connection within/.test(reason)) {
    return `Nothing accepts the connection at ${url}. Check host and port, that the node listens on an address that this host can reach (network.host), and that no firewall is in between`;
  }
  const guess = url.startsWith('http:')
    ? 'if the cluster speaks https, set protocol to "https"'
    : 'it may ask for a client certificate, which the agent does not have';
  return `${url} closes the connection without an answer: ${guess}`;
}

const asks =
  'The cluster asks for a client certificate, which the agent does not have (set xpack.security.http.ssl.client_authentication to "optional")';

function tlsCure(reason: string): string {
  if (/wrong version number|packet length too long|unknown protocol|record layer/.test(reason)) {
    return 'The port seems to speak plain http: set protocol to "http".';
  }
  if (/altname|cert's list/i.test(reason)) {
    return 'The certificate is for other names: set host to one of them.';
  }
  // These alerts mean that the other side wants a certificate of the agent, which has none.
  if (/alert (bad certificate|certificate required|no certificate)/.test(reason)) return `${asks}.`;
  if (/alert handshake failure|disconnected before secure/.test(reason))
    return `${asks}, or allows only TLS versions or ciphers that the agent lacks.`;
  if (/expired|not yet valid/.test(reason))
    return "Renew the cluster's certificate, or check this host's clock.";
  if (/self-signed|issuer|verify|unable to get/.test(reason)) {
    return 'Set tls.ca to the certificate of the CA that signed it (Elasticsearch writes its own to config/certs/http_ca.crt).';
  }
  return "Check the cluster's TLS settings and tls.ca.";
}

/** What is wrong with an answer other than a 200, and the remedy; `cluster` once it is identified. */
export function obstacleOfAnswer(
  { status, body }: SearchAnswer,
  asked: Asked,
  cluster?: Pick<ClusterIdentity, 'name' | 'version'>,
): Obstacle {
  const { url, authentication } = asked;
  if (status === 401) {
    const message = couldNotCheckKey(body) ? keyNotChecked : credentialCures[authentication.kind];
    return { kind: 'authentication_failed', message };
  }
  // A proxy forbids with a page; a cluster names its error.
  if (status === 403 && isOfCluster(body)) return permissionDenied(body);
  if (status === 408 || status === 429 || status === 504) {
    return {
      kind: 'timeout',
      message: `${url} answers ${status}: the cluster is too busy to answer in time. Try again later, or raise requestTimeoutMs.`,
    };
  }
  if (status === 502 || status === 503) {
    return {
      kind: 'connection_refused',
      message: `${url} answers ${status}: a proxy there does not reach the cluster, or no node of it is up.`,
    };
  }
  if (cluster !== undefined) {
    return {
      kind: 'unsupported_endpoint',
      message: `${url} leads to cluster ${cluster.name} (${cluster.version}), but answers ${status} to a call that every version knows. If there is a proxy in front of the cluster, let it pass GETs and POST /_cluster/allocation/explain.`,
    };
  }
  return notSupported(
    url,
    `it answers ${status}${status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''}`,
  );
}

export function notSupported(url: string, reason: string): Obstacle {
  return {
    kind: 'unsupported_endpoint',
    message: `${url} is not a cluster that can be watched: ${reason}. ${supported}; check that host and port are those of a node's HTTP interface.`,
  };
}

const credentialCures = {
  none: 'The cluster asks for credentials, and none are configured: set apiKey, or username and password.',
  basic: 'The cluster does not accept the username with this password. Check both, or use an API key.',
  'api-key':
    'The cluster does not accept the API key: it was invalidated, has expired, or belongs to another cluster. Create a new one, and set apiKey to its "encoded" value.',
} as const;

const keyNotChecked =
  'The cluster could not check the API key, as it cannot read its security index. If the node has just started, the key may be valid: try again in a minute. If this persists, the cluster has no API keys yet: create one in it, and set apiKey to its "encoded" value.';

function permissionDenied(body: unknown): Obstacle {
  const { action, grants } = refusalOf(body);
  const refusal = action === null ? 'lack a privilege' : `may not do ${action}`;
  const needs = grants === null ? '' : ` (any of these would do: ${grants.privileges.join(', ')})`;
  return {
    kind: 'permission_denied',
    message: `The credentials are right, but ${refusal}${needs}. Give the user or key the cluster privilege monitor, and the index privilege monitor on *; the role remote_monitoring_collector has both.`,
  };
}
