import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { OpenApiDocument } from '../../schemas/openapi/document-types.js';
import { mostLiteralFirst } from '../support/most-literal.js';
import { createDocumentChecker, type Answer, type DocumentChecker } from './document-checker.js';
import { createWireClient, type WireClient } from './http-client.js';
import {
  requestArbitrary,
  type Credentials,
  type Fault,
  type GeneratedRequest,
} from './request-arbitrary.js';

/** A running edge, over in-memory ports or over the whole pipeline. */
export interface ContractTarget {
  readonly url: string;
  /** An API key with all scopes. */
  readonly key: string;
  readonly requests: number;
  /** Clusters in the key's workspace. */
  readonly clusterUuids?: readonly string[];
  /** Traces in that workspace. */
  readonly traceIds?: readonly string[];
  /** Dashboard sessions in that workspace. */
  readonly sessionIds?: readonly string[];
  /** Called before each request; may change the state behind the edge. */
  readonly beforeEach?: (count: number) => void;
}

export interface ContractReport {
  readonly requests: number;
  /** How many responses had each status. */
  readonly byStatus: ReadonlyMap<number, number>;
  /** `GET /livez 200`, by method, pattern and status. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Sends valid and invalid generated requests, and checks the status, headers, content type and body of every
 * response against the document that the edge serves. Checks that the only 5xx are the documented 503 and
 * 504, and that no valid request is refused as invalid.
 */
export async function checkContract(target: ContractTarget): Promise<ContractReport> {
  const client = createWireClient(target.url);
  try {
    const document = await fetchDocument(client);
    const checker = createDocumentChecker(document);
    const credentials = await makeCredentials(client, target.key);
    const taskIds: string[] = [];
    const keyIds: string[] = [];
    const known = {
      task_id: () => taskIds,
      id: () => taskIds,
      key_id: () => keyIds,
      cluster_uuid: () => target.clusterUuids ?? [],
      trace_id: () => target.traceIds ?? [],
      session_id: () => target.sessionIds ?? [],
    };
    const byStatus = new Map<number, number>();
    const seen = new Set<string>();
    let count = 0;

    const property = fc.asyncProperty(requestArbitrary(document, credentials, known), async (generated) => {
      count += 1;
      target.beforeEach?.(count);
      const answer = await client.send(generated.wire);
      const evaluation = evaluate(document, checker, generated, answer);
      assert.deepEqual(evaluation.problems, [], describe(generated, answer));
      byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
      seen.add(`${generated.wire.method} ${evaluation.pattern} ${answer.status}`);
      remember(answer, taskIds, keyIds);
    });
    await fc.assert(property, { numRuns: target.requests });
    return { requests: count, byStatus, seen };
  } finally {
    client.close();
  }
}

async function fetchDocument(client: WireClient): Promise<OpenApiDocument> {
  const answer = await client.send({ method: 'GET', path: '/openapi.json', headers: {}, body: undefined });
  assert.equal(answer.status, 200);
  return JSON.parse(answer.body.toString('utf8')) as OpenApiDocument;
}

async function makeCredentials(client: WireClient, allScopes: string): Promise<Credentials> {
  const answer = await client.send({
    method: 'POST',
    path: '/api/v1/keys',
    headers: { authorization: `Bearer ${allScopes}`, 'content-type': 'application/json' },
    body: Buffer.from('{"name":"contract","scopes":["read"]}'),
  });
  assert.equal(answer.status, 201, answer.body.toString('utf8'));
  const { key } = JSON.parse(answer.body.toString('utf8')) as { key: string };
  const isKnown = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${key}` };
    return (
      (await client.send({ method: 'GET', path: '/api/v1/keys', headers, body: undefined })).status === 403
    );
  };
  while (!(await isKnown())) await sleep(50);
  return { allScopes, noScope: key };
}

interface Evaluation {
  readonly pattern: string;
  readonly problems: readonly string[];
}

function evaluate(
  document: OpenApiDocument,
  checker: DocumentChecker,
  generated: GeneratedRequest,
  answer: Answer,
): Evaluation {
  const method = generated.wire.method.toLowerCase();
  const pattern = patternOf(document, generated.wire.path.split('?', 1)[0] ?? '');
  if (pattern === undefined)
    return {
      pattern: 'unmatched',
      problems: [...is(answer, 404), ...checker.problemsOfComponent('NotFound', answer)],
    };
  const operation = document.paths[pattern]?.[method as 'get' | 'post' | 'delete'];
  if (operation === undefined)
    return {
      pattern,
      problems: [...is(answer, 405), ...checker.problemsOfComponent('MethodNotAllowed', answer)],
    };
  const ways = operation.security ?? document.security;
  const secured = ways.length > 0 && ways.every((way) => Object.keys(way).length > 0);
  const moved = pattern !== generated.pattern || method !== generated.method;
  const expected = moved ? undefined : expectedStatuses(checker, generated, secured);
  return {
    pattern,
    problems: [
      ...checker.problemsOf(method, pattern, answer),
      ...(expected === undefined || expected.includes(answer.status)
        ? []
        : [`status ${answer.status}, not one of ${expected.join(', ')}`]),
    ],
  };
}

const is = (answer: Answer, status: number): readonly string[] =>
  answer.status === status ? [] : [`status ${answer.status}, not ${status}`];

const successes = [200, 201, 202, 204, 302];
/** Possible for any request: it exceeds a limit, or something behind the edge is down. */
const pressed = [429, 503];
/** Possible for a valid request: it is too late, was used before, or has already ended. */
const circumstances = [...pressed, 504, 409];
/** 404 is right until a result is stored, or until hot threads have been requested. */
const thereLater: ReadonlySet<string> = new Set([
  'get /api/v1/results/{task_id}',
  'get /api/v1/clusters/{cluster_uuid}/hot-threads',
]);
/** Only the installation's workspace may rebuild tables and replay dead letters; the key's may be another. */
const isForOneWorkspace = (pattern: string, json: unknown): boolean =>
  pattern === '/api/v1/dead-letters/replay' ||
  (pattern === '/api/v1/replays' && (json as { readonly kind?: unknown } | undefined)?.kind === 'table');

const statusOfFault: Readonly<Record<Fault, number>> = {
  'no key': 401,
  'bad key': 401,
  'key without scope': 403,
  'media type': 415,
  encoding: 400,
  'not JSON': 400,
  'idempotency key': 400,
  'batch id': 400,
  method: 405,
  path: 404,
  id: 404,
};

function expectedStatuses(
  checker: DocumentChecker,
  { faults, method, pattern, json, query, wire }: GeneratedRequest,
  secured: boolean,
): readonly number[] {
  const takesQuery = pattern === '/' && method === 'get';
  if (takesQuery && query === 'none') return [302];
  const keyFault = faults.find((fault) => ['no key', 'bad key', 'key without scope'].includes(fault));
  if (secured && keyFault !== undefined) return [statusOfFault[keyFault]];
  const others = faults.filter((fault) => fault !== keyFault);
  const isInvalid =
    query === 'invalid' ||
    (wire.body !== undefined && json !== undefined && !checker.isValidBody(method, pattern, json));
  if (others.length > 0)
    return [...others.map((fault) => statusOfFault[fault]), ...(isInvalid ? [422] : []), ...pressed];
  if (isInvalid) return [422, ...pressed];
  const more = [
    ...(thereLater.has(`${method} ${pattern}`) ? [404] : []),
    ...(isForOneWorkspace(pattern, json) ? [403] : []),
  ];
  return [...successes, ...circumstances, ...more];
}

/** Literal segments win over parameters, as the document requires. */
function patternOf(document: OpenApiDocument, path: string): string | undefined {
  const segments = path.split('/');
  const fits = (pattern: string): boolean => {
    const parts = pattern.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
    );
  };
  return mostLiteralFirst(Object.keys(document.paths)).find(fits);
}

function remember(answer: Answer, taskIds: string[], keyIds: string[]): void {
  if (answer.status !== 202 && answer.status !== 201) return;
  const body = JSON.parse(answer.body.toString('utf8')) as { task_id?: string; key_id?: string };
  if (body.task_id !== undefined) taskIds.push(body.task_id);
  if (body.key_id !== undefined) keyIds.push(body.key_id);
}

function describe({ wire, faults }: GeneratedRequest, answer: Answer): string {
  const headers = { ...wire.headers, authorization: '…' };
  return [
    `${wire.method} ${wire.path} ${JSON.stringify(headers)} (${faults.join(', ') || 'no faults'})`,
    wire.body?.toString('utf8', 0, 300) ?? '',
    `→ ${answer.status} ${JSON.stringify(answer.headers)}`,
    answer.body.toString('utf8', 0, 500),
  ].join('\n');
}
