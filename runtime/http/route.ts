import type { Exchange } from './exchange.js';
import type { ProblemRendering } from './problem.js';

export type Method = 'GET' | 'POST' | 'DELETE';

export type PathParameters = Readonly<Record<string, string>>;

/** One route. The pattern is that of an OpenAPI document: `{name}` stands for one path segment. */
export interface Route {
  readonly method: Method;
  readonly pattern: string;
  /** How problems are written on this path; RFC 9457 unless a protocol prescribes another form. */
  readonly problems?: ProblemRendering;
  /** Answers through the exchange. It may throw or reject; the caller answers that. */
  handle(exchange: Exchange, parameters: PathParameters): void | Promise<void>;
}

/** Runs a route and answers what it throws. */
export function runRoute(route: Route, exchange: Exchange, parameters: PathParameters): void {
  if (route.problems !== undefined) exchange.problems = route.problems;
  try {
    const pending = route.handle(exchange, parameters);
    if (pending !== undefined) pending.catch((error: unknown) => exchange.fail(error));
  } catch (error) {
    exchange.fail(error);
  }
}

/** The path without query. A proxy may send a whole URL as the target (RFC 9112, absolute-form). */
export function pathOf(target: string): string {
  if (!target.startsWith('/') && target !== '*' && URL.canParse(target)) return new URL(target).pathname;
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
