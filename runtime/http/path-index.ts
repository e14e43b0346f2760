import type { Exchange } from './exchange.js';
import type { HttpMetrics, RouteMeter } from './http-metrics.js';
import { Problem, type ProblemRendering } from './problem.js';
import type { Method, PathParameters, Route } from './route.js';

/** A path that some route has, for any method. */
export interface KnownPath {
  readonly pattern: string;
  /** For 405 and OPTIONS. */
  readonly allow: readonly string[];
  readonly problems: ProblemRendering | undefined;
  route(method: string): Route | undefined;
  /** Throws URIError if a segment is not well encoded. */
  parameters(path: string): PathParameters;
}

export type PathIndex = (path: string) => KnownPath | undefined;

/**
 * Finds the pattern of a path: fixed ones by one look-up, those with parameters segment by segment. If
 * several match, the one with the fewest parameters wins.
 */
export function createPathIndex(routes: readonly Route[]): PathIndex {
  const patterns = [...new Set(routes.map(({ pattern }) => pattern))];
  const known = patterns.map((pattern) =>
    knownPath(
      pattern,
      routes.filter((route) => route.pattern === pattern),
    ),
  );
  const literal = new Map(known.filter(isLiteral).map((path) => [path.pattern, path]));
  const parametric = known
    .filter((path) => !isLiteral(path))
    .map((path) => ({ path, segments: path.pattern.split('/') }))
    .sort((one, other) => parametersIn(one.segments) - parametersIn(other.segments));
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return exact;
    const segments = path.split('/');
    return parametric.find((candidate) => matches(candidate.segments, segments))?.path;
  };
}

function knownPath(pattern: string, routes: readonly Route[]): KnownPath {
  const byMethod = new Map<string, Route>(routes.map((route) => [route.method, route]));
  const head = byMethod.get('GET');
  if (head !== undefined) byMethod.set('HEAD', head);
  return {
    pattern,
    allow: [...byMethod.keys(), 'OPTIONS'].sort(),
    problems: routes.find(({ problems }) => problems !== undefined)?.problems,
    route: (method) => byMethod.get(method),
    parameters: parametersOf(pattern),
  };
}

const isLiteral = ({ pattern }: KnownPath): boolean => !pattern.includes('{');

const parametersIn = (segments: readonly string[]): number =>
  segments.filter((segment) => segment.startsWith('{')).length;

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
  );
}

function parametersOf(pattern: string): (path: string) => PathParameters {
  const named = pattern
    .split('/')
    .map((part, index) => ({ name: /^\{(\w+)\}$/.exec(part)?.[1] ?? '', index }))
    .filter(({ name }) => name !== '');
  if (named.length === 0) return () => ({});
  return (path) => {
    const segments = path.split('/');
    const parameters: Record<string, string> = {};
    for (const { name, index } of named) parameters[name] = decodeURIComponent(segments[index] ?? '');
    return parameters;
  };
}

/** Answers requests that no route handles: 405 if the path is known, otherwise 404. */
export function answerUnmatched(exchange: Exchange, known: PathIndex, unknownPath: string): void {
  const { method } = exchange.request;
  if (method === 'OPTIONS' && exchange.path === '*') {
    exchange.answer(204, '', '', ['allow', 'DELETE, GET, HEAD, OPTIONS, POST']);
    return;
  }
  const path = known(exchange.path);
  if (path?.problems !== undefined) exchange.problems = path.problems;
  if (path === undefined) exchange.fail(new Problem('not-found', unknownPath));
  else if (method === 'OPTIONS') exchange.answer(204, '', '', ['allow', path.allow.join(', ')]);
  else
    exchange.fail(
      new Problem('method-not-allowed', `This path accepts ${path.allow.join(', ')}.`, {
        headers: ['allow', path.allow.join(', ')],
      }),
    );
}

/** Meters by known pattern and method. All other requests share one, so that a scanner can't add series. */
export function createPathMeters(
  httpMetrics: HttpMetrics,
): (method: string, path: KnownPath | undefined) => RouteMeter {
  const methods: ReadonlySet<string> = new Set<Method | 'HEAD' | 'OPTIONS'>([
    'GET',
    'HEAD',
    'POST',
    'DELETE',
    'OPTIONS',
  ]);
  const byPattern = new Map<string, Map<string, RouteMeter>>();
  return (method, path) => {
    const label = methods.has(method) ? method : 'other';
    const pattern = path?.pattern ?? unmatched;
    let meters = byPattern.get(pattern);
    if (meters === undefined) byPattern.set(pattern, (meters = new Map<string, RouteMeter>()));
    let meter = meters.get(label);
    if (meter === undefined) meters.set(label, (meter = httpMetrics.forRoute(label, pattern)));
    return meter;
  };
}

/** The pattern under which requests to unknown paths are counted. */
const unmatched = 'unmatched';
