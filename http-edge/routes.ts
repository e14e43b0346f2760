import type { Exchange } from './http/exchange.js';

export type Method = 'GET' | 'POST' | 'DELETE';

/** One route. The pattern is that of the OpenAPI document: `{name}` stands for one path segment. */
export interface Route {
  readonly method: Method;
  readonly pattern: string;
  /** Answers through the exchange; may throw or reject, which the caller answers. */
  handle(exchange: Exchange, parameters: PathParameters): void | Promise<void>;
}

/** Every route of the edge, as the OpenAPI document has them. */
export interface EdgeRoutes {
  /** POSTs of fixed paths. */
  readonly hot: readonly Route[];
  readonly status: Route;
  readonly cold: readonly Route[];
}

export type PathParameters = Readonly<Record<string, string>>;

export const metricsPath = '/api/v1/monitoring/metrics';
export const taskStatusPattern = `${metricsPath}/task/{task_id}/status`;
export const keysPath = '/api/v1/keys';

/** Where the status of a task is read. */
export function taskStatusPath(taskId: string): string {
  return `${metricsPath}/task/${taskId}/status`;
}

/** The methods that a path knows, and under which pattern: for 405, OPTIONS and the metrics' labels. */
export interface KnownPath {
  readonly pattern: string;
  readonly allow: readonly string[];
}

export function createPathIndex({ hot, status, cold }: EdgeRoutes): (path: string) => KnownPath | undefined {
  const patterns = new Map<string, Set<string>>();
  for (const { method, pattern } of [...hot, status, ...cold]) {
    const allow = patterns.get(pattern) ?? new Set<string>();
    allow.add(method);
    if (method === 'GET') allow.add('HEAD');
    patterns.set(pattern, allow.add('OPTIONS'));
  }
  const known = [...patterns].map(([pattern, allow]) => ({ pattern, allow: [...allow].sort() }));
  const literal = new Map(known.filter(isLiteral).map((path) => [path.pattern, path]));
  const parametric = known
    .filter((path) => !isLiteral(path))
    .map((path) => ({ path, segments: path.pattern.split('/') }));
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return exact;
    const segments = path.split('/');
    return parametric.find((candidate) => matches(candidate.segments, segments))?.path;
  };
}

const isLiteral = ({ pattern }: KnownPath): boolean => !pattern.includes('{');

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}
