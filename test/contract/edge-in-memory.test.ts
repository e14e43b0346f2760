import assert from 'node:assert/strict';
import { newSession, publicIdOf } from '../../http-edge/dashboard/sessions.js';
import { readFileSync } from 'node:fs';
import { declarationOf, type RequestedMetric } from '../../schemas/metrics.js';
import { exampleClusterUuid } from '../../schemas/openapi/cluster-examples.js';
import { exampleTraceId } from '../../schemas/openapi/trace-paths.js';
import type { OpenApiDocument } from '../../schemas/openapi/document-types.js';
import { metricsPath } from '../../http-edge/routes.js';
import { startEdgeInMemory, type EdgeInMemory } from '../support/edge-in-memory.js';
import { checkContract, type ContractReport } from './edge-contract.js';

const file = new URL('../../schemas/openapi/edge.json', import.meta.url);
const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;

function exampleResult(metric: string): string {
  const path = metric === 'all' ? '' : `/${declarationOf(metric as Exclude<RequestedMetric, 'all'>).path}`;
  const response = document.paths[`${metricsPath}${path}`]?.post?.responses['200'];
  assert.ok(response !== undefined && !('$ref' in response));
  return JSON.stringify(response.content?.['application/json']?.example);
}

/** Starts several sessions, because each can be ended only once. */
function beginSessions({ ports }: EdgeInMemory): readonly string[] {
  return Array.from({ length: 20 }, () => {
    const person = { workspace: 'acme', role: 'viewer', key_id: null, subject: null } as const;
    const { session } = newSession(person, Date.now(), 3_600_000);
    ports.sessionRecords.set(session.id, session);
    return publicIdOf(session);
  });
}

/** Forbidden to this key's workspace; test/unit/http-edge/dead-letters.test.ts has an allowed key. */
const ofTheInstallation = '/api/v1/dead-letters/replay';

describe('the contract of the edge, over in-memory ports', () => {
  let edge: EdgeInMemory;
  let report: ContractReport;

  before(async () => {
    edge = await startEdgeInMemory({ config: { EDGE_REALTIME_DEADLINE_SECONDS: 1 } });
    report = await checkContract({
      url: edge.url,
      key: edge.token,
      requests: 4_000,
      clusterUuids: [exampleClusterUuid],
      traceIds: [exampleTraceId],
      sessionIds: beginSessions(edge),
      beforeEach: (count) => disturb(edge, count),
    });
  });
  after(() => edge.stop());

  it('holds for 4,000 requests, valid and not', () => {
    assert.equal(report.requests, 4_000);
  });

  it('covers a success of every operation', () => {
    for (const [pattern, item] of Object.entries(document.paths))
      for (const [method, { responses }] of Object.entries(item)) {
        if (pattern === ofTheInstallation) continue;
        const good = Object.keys(responses).filter(
          (status) => status.startsWith('2') || status.startsWith('3'),
        );
        assert.ok(
          good.some((status) => report.seen.has(`${method.toUpperCase()} ${pattern} ${status}`)),
          `${method} ${pattern}`,
        );
      }
  });

  it('covers every status that a generated request can cause', () => {
    const wanted = [200, 201, 202, 204, 302, 400, 401, 403, 404, 405, 409, 415, 422, 429, 503, 504];
    assert.deepEqual(
      wanted.filter((status) => !report.byStatus.has(status)),
      [],
    );
  });
});

/** Takes turns between outages, back-pressure, replies of all kinds and tasks that progress. */
function disturb({ ports, health }: EdgeInMemory, count: number): void {
  const every = (n: number): boolean => count % n === 0;
  ports.setPressure({ soft: every(41), hard: every(43) });
  ports.failAppends(every(17) ? 'APPEND_TIMED_OUT' : every(19) ? 'BUFFER_FULL' : undefined);
  ports.failMisses(every(3));
  if (every(50)) health.condition('in turn', 'a test').unmet('a test');
  if (every(51)) health.condition('in turn').met();
  ports.answerCalls(({ metric, deadline }) => {
    if (every(5) && (deadline ?? 0) / 1_000 - Date.now() < 100) return undefined;
    return every(7)
      ? { result: null, error: 'No language model is configured.' }
      : { result: exampleResult(metric), error: null };
  });
  for (const [id, task] of ports.tasks) {
    if (task.status !== 'queued') continue;
    const moved = ports.tasks.size % 3;
    if (moved === 0)
      ports.tasks.set(id, {
        ...task,
        status: 'processed',
        message: 'Done.',
        result: exampleResult(task.metric),
      });
    if (moved === 1)
      ports.tasks.set(id, { ...task, status: 'failed', message: 'Failed.', error: 'No model.' });
    break;
  }
}
