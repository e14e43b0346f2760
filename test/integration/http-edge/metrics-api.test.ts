import assert from 'node:assert/strict';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import { acceptedMessage, metricDeclarations } from '../../../schemas/metrics.js';
import { taskStatusBody } from '../../../schemas/task-status-body.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { keyRecord } from '../../support/in-memory-ports.js';

const metrics = '/api/v1/monitoring/metrics';

interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly request_id: string;
  readonly errors?: readonly { pointer: string; detail: string }[];
}

async function problemOf(response: Response): Promise<ProblemBody> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const body = (await response.json()) as ProblemBody;
  assert.equal(body.status, response.status);
  assert.equal(body.request_id, response.headers.get('x-request-id'));
  return body;
}

describe('the metrics API of the edge', () => {
  let edge: EdgeInMemory;
  beforeEach(async () => {
    edge = await startEdgeInMemory();
  });
  afterEach(() => edge.stop());

  for (const [path, key] of [
    ['', 'all'] as const,
    ...metricDeclarations.map(({ path, key }) => [`/${path}`, key] as const),
  ]) {
    it(`accepts a task at ${path}/task with the document's message`, async () => {
      const response = await edge.post(`${metrics}${path}/task`, { prompt: 'a text', response: 'an answer' });
      assert.equal(response.status, 202);
      const body = (await response.json()) as { task_id: string };
      assert.deepEqual(body, { status: 'queued', message: acceptedMessage(key), task_id: body.task_id });
      assert.equal(response.headers.get('location'), `${metrics}/task/${body.task_id}/status`);
      assert.deepEqual(
        edge.ports.requests.map(({ id, metric, workspace, prompt, response: answer, reply_to }) => [
          id,
          metric,
          workspace,
          prompt,
          answer,
          reply_to,
        ]),
        [[body.task_id, key, 'acme', 'a text', 'an answer', null]],
      );
      assert.equal(edge.ports.tasks.get(body.task_id)?.status, 'queued');
    });

    it(`answers a call at ${path === '' ? 'the combined endpoint' : path} with the reply as it came`, async () => {
      edge.ports.answerCalls(({ id }) => ({ result: `{"id":"${id}","é":1}`, error: null }));
      const response = await edge.post(`${metrics}${path}`, { prompt: 'a text', response: 'an answer' });
      assert.equal(response.status, 200);
      const [request] = edge.ports.realtime;
      assert.equal(await response.text(), `{"id":"${request?.id ?? ''}","é":1}`);
      assert.equal(request?.metric, key);
      assert.equal(request.reply_to, 'edge-in-memory');
      assert.equal((request.deadline ?? 0) - request.accepted_at > 25_000_000, true);
    });
  }

  it('requires a response if the metric needs one', async () => {
    for (const { path, response } of metricDeclarations) {
      const answer = await edge.post(`${metrics}/${path}/task`, { prompt: 'a text' });
      assert.equal(answer.status, response === 'required' ? 422 : 202, path);
      await answer.text();
    }
  });

  it('names the field and its pointer', async () => {
    const problem = await problemOf(await edge.post(`${metrics}/text-metrics/task?debug=1`, { prompt: '' }));
    assert.equal(problem.status, 422);
    assert.equal(problem.instance, `${metrics}/text-metrics/task`);
    assert.deepEqual(
      problem.errors?.map(({ pointer }) => pointer),
      ['/prompt'],
    );
  });

  it('keeps a well-formed request id, and makes one otherwise', async () => {
    const kept = await edge.get('/livez', { 'x-request-id': 'abc-123' });
    assert.equal(kept.headers.get('x-request-id'), 'abc-123');
    const made = await edge.get('/livez', { 'x-request-id': 'not well formed' });
    assert.match(made.headers.get('x-request-id') ?? '', /^[A-Za-z0-9~-]{10,}$/);
  });

  it('answers the result of a task byte for byte, in any script', async () => {
    const response = await edge.post(`${metrics}/text-metrics/task`, { prompt: 'a text' });
    const { task_id: id } = (await response.json()) as { task_id: string };
    const task = edge.ports.tasks.get(id);
    assert.ok(task);
    const processed: TaskStatus = { ...task, status: 'processed', result: '{"prompt":"größe ✓ 𝄞 中文"}' };
    edge.ports.tasks.set(id, processed);
    const answer = await edge.get(`${metrics}/task/${id}/status`);
    const body = taskStatusBody(processed);
    assert.equal(await answer.text(), body);
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(body)));
  });

  it('answers the status of a task to its workspace alone', async () => {
    const accepted = await edge.post(`${metrics}/text-topic/task`, { prompt: 'a text' });
    const { task_id: id } = (await accepted.json()) as { task_id: string };
    const mine = await edge.get(`${metrics}/task/${id.toUpperCase()}/status`);
    assert.equal(mine.status, 200);
    assert.deepEqual(await mine.json(), {
      task_id: id,
      status: 'queued',
      message: 'Your text topic metric calculation is being processed.',
    });
    edge.ports.keys.set('other', keyRecord('other', 'secret', ['read'], { workspace: 'other' }));
    const theirs = await edge.get(`${metrics}/task/${id}/status`, {
      authorization: 'Bearer tt_other_secret',
    });
    assert.equal((await problemOf(theirs)).status, 404);
    for (const bad of ['nope', '00000000-0000-0000-0000-000000000000', '%00', 'a%2Fb'])
      assert.equal((await problemOf(await edge.get(`${metrics}/task/${bad}/status`))).status, 404);
  });

  it('answers 503 if the view cannot know', async () => {
    edge.ports.failMisses(true);
    const response = await edge.get(`${metrics}/task/00000000-0000-0000-0000-000000000000/status`);
    assert.equal((await problemOf(response)).status, 503);
    assert.equal(response.headers.get('retry-after'), '1');
  });

  it('tells 401 from 403', async () => {
    edge.ports.keys.set('agent', keyRecord('agent', 'secret', ['agent']));
    const nobody = await edge.post(`${metrics}/text-topic`, { prompt: 'a' }, { authorization: 'Bearer x' });
    assert.equal((await problemOf(nobody)).status, 401);
    assert.equal(nobody.headers.get('www-authenticate'), 'Bearer');
    const agent = await edge.post(
      `${metrics}/text-topic`,
      { prompt: 'a' },
      { authorization: 'Bearer tt_agent_secret' },
    );
    assert.equal((await problemOf(agent)).status, 403);
  });

  it('names the methods of a path', async () => {
    const wrong = await edge.get(`${metrics}/text-topic`);
    assert.equal((await problemOf(wrong)).status, 405);
    assert.equal(wrong.headers.get('allow'), 'OPTIONS, POST');
    const options = await fetch(`${edge.url}${metrics}/task/x/status`, { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
    const head = await fetch(`${edge.url}/livez`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  for (const [encoding, encode] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['GZIP', gzipSync],
  ] as const)
    it(`takes a body in ${encoding}`, async () => {
      const response = await fetch(`${edge.url}${metrics}/text-topic/task`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${edge.token}`,
          'content-type': 'application/json; charset=UTF-8',
          'content-encoding': encoding,
        },
        body: new Uint8Array(encode('{"prompt":"café"}')),
      });
      assert.equal(response.status, 202);
      assert.equal(edge.ports.requests[0]?.prompt, 'café');
    });

  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'br' },
    { 'content-encoding': 'gzip, gzip' },
  ])
    it(`answers 415 to ${JSON.stringify(headers)}`, async () => {
      const response = await edge.post(`${metrics}/text-topic/task`, { prompt: 'a' }, headers);
      assert.equal((await problemOf(response)).status, 415);
    });
});
