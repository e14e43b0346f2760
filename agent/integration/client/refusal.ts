/** The parts of a cluster's error that contain no names of users, roles, keys and indices. */
export interface Refusal {
  /** Such as `security_exception`; null if the body has none. */
  readonly type: string | null;
  /** The refused action, such as `cluster:monitor/health`. */
  readonly action: string | null;
  /** The privileges that grant it: any of them is enough. */
  readonly grants: { readonly of: 'cluster' | 'index'; readonly privileges: readonly string[] } | null;
}

/** 403s read (x-pack, 7.0 to 9.4) "action [A] is unauthorized for …, this action is granted by the cluster privileges [P,Q]". */
export function refusalOf(body: unknown): Refusal {
  const { type, reason } = errorIn(body);
  const granting = /is granted by the (cluster|index) privileges \[([\w,-]+)\]/.exec(reason);
  return {
    type: typeof type === 'string' && /^[\w-]{1,100}$/.test(type) ? type : null,
    action: /^action \[([\w:/*.[\]-]+?)\] is unauthorized/.exec(reason)?.[1] ?? null,
    grants:
      granting === null
        ? null
        : { of: granting[1] === 'index' ? 'index' : 'cluster', privileges: granting[2]?.split(',') ?? [] },
  };
}

/**
 * `error` is an object. If `http.detailed_errors.enabled` is false (up to 8.x), it is a text such as
 * `ElasticsearchSecurityException[action […] is unauthorized …]`. The name in it is converted to the type in
 * the way that Elasticsearch does.
 */
function errorIn(body: unknown): { readonly type: unknown; readonly reason: string } {
  const error = memberOf(body, 'error');
  if (typeof error === 'string') {
    const [, name, said = ''] = /^(\w{1,100})\[([^]*)\]$/.exec(error) ?? [];
    return { type: name === undefined ? null : typeNamed(name), reason: said };
  }
  const reason = memberOf(error, 'reason');
  const type = memberOf(error, 'type') ?? memberOf(firstCause(error), 'type');
  return { type, reason: typeof reason === 'string' ? reason : '' };
}

const typeNamed = (name: string): string =>
  name
    .replace(/^Elasticsearch/, '')
    .replace(/\B[A-Z]/g, '_$&')
    .toLowerCase();

/** Errors without a name: those about a method never have one, and without details others can lack it too. */
const nameless = /^(?:Incorrect HTTP method for uri |No ElasticsearchException found$)/;

/** Whether the error comes from a cluster: a page, or JSON of another form, comes from a proxy. */
export function isOfCluster(body: unknown): boolean {
  const error = memberOf(body, 'error');
  return refusalOf(body).type !== null || (typeof error === 'string' && nameless.test(error));
}

/** Whether the error means that no master is elected, or that the cluster has not recovered its state yet. */
export function saysNoMaster(type: string | null): boolean {
  return type === 'master_not_discovered_exception' || type === 'cluster_block_exception';
}

/**
 * A starting node refuses API keys while it can't read the index that has them. It reports a failure instead
 * of an unknown key (ApiKeyService), so it might soon accept the key.
 */
export function couldNotCheckKey(body: unknown): boolean {
  const error = memberOf(body, 'error');
  return [error, firstCause(error)].some((part) => {
    const tried = memberOf(part, 'additional_unsuccessful_credentials');
    return typeof tried === 'string' && tried.includes('encountered a failure');
  });
}

function firstCause(error: unknown): unknown {
  const causes = memberOf(error, 'root_cause');
  return Array.isArray(causes) ? (causes as unknown[])[0] : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
