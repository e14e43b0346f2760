/** What an error of a cluster says, without the names of users, roles, keys and indices that it may hold. */
export interface Refusal {
  /** As `security_exception`; null where the body has none. */
  readonly type: string | null;
  /** As `cluster:monitor/health`: what was refused. */
  readonly action: string | null;
  /** As `monitor`, `manage`: any of these would do. */
  readonly privileges: readonly string[];
}

/**
 * Reads an error's body: `error` is an object, or a text in answers about methods. 403s read (x-pack, 7.0 to 9.4)
 * "action [A] is unauthorized for …, this action is granted by the cluster privileges [P,Q]".
 */
export function refusalOf(body: unknown): Refusal {
  const error = memberOf(body, 'error');
  const type = memberOf(error, 'type');
  const reason = memberOf(error, 'reason');
  const text = typeof reason === 'string' ? reason : '';
  const granting = /is granted by the (?:cluster|index) privileges \[([\w,]+)\]/.exec(text)?.[1];
  return {
    type: typeof type === 'string' && /^[\w-]{1,100}$/.test(type) ? type : null,
    action: /^action \[([\w:/*.[\]-]+?)\] is unauthorized/.exec(text)?.[1] ?? null,
    privileges: granting?.split(',') ?? [],
  };
}

/** How a cluster without an elected master, or one that has not recovered its state yet, says so. */
export function saysNoMaster(type: string | null): boolean {
  return type === 'master_not_discovered_exception' || type === 'cluster_block_exception';
}

/**
 * A node that starts refuses API keys for as long as it can't read the index that holds them, and says that it failed
 * rather than that it doesn't know the key (ApiKeyService): before long it may well know it.
 */
export function couldNotCheckKey(body: unknown): boolean {
  const error = memberOf(body, 'error');
  const causes = memberOf(error, 'root_cause');
  return [error, Array.isArray(causes) ? (causes as unknown[])[0] : undefined].some((part) => {
    const tried = memberOf(part, 'additional_unsuccessful_credentials');
    return typeof tried === 'string' && tried.includes('encountered a failure');
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
