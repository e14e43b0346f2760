import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { acceptedMessage, metricDeclarations } from '../../../schemas/metrics.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';

const metrics = '/api/v1/monitoring/metrics';
const batch = `${metrics}/task/batch`;

interface Answered {
  readonly accepted: number;
  readonly rejected: number;
  readonly tasks: readonly {
    readonly status: string;
    readonly message?: string;
    readonly task_id?: string;
    readonly type?: string;
    readonly errors?: readonly { pointer: string; detail: string }[];
  }[];
}

async function answerOf(response: Response): Promise<Answered> {
  const text = await response.text();
  assert.equal(response.status, 202, text);
  return JSON.parse(text) as Answered;
}

const idsOf = ({ tasks }: Answered): readonly (string | undefined)[] => tasks.map(({ task_id: id }) => id);
const prompts = (count: number): { prompt: string }[] =>
  Array.from({ length: count }, (_, at) => ({ prompt: `prompt ${at}` }));

describe('a batch of tasks', () => {
  let edge: EdgeInMemory;
  beforeEach(async () => {
    edge = await startEdgeInMemory();
  });
  afterEach(() => edge.stop());

  it('gives each request its own task, of any metric or all', async () => {
    const requests = [
      { prompt: 'of all' },
      ...metricDeclarations.map(({ key }) => ({ prompt: `of ${key}`, response: 'an answer', metric: key })),
    ];
    const answered = await answerOf(await edge.post(batch, requests));
    assert.deepEqual([answered.accepted, answered.rejected], [11, 0]);
    assert.deepEqual(
      answered.tasks.map(({ status, message }) => [status, message]),
      (['all', ...metricDeclarations.map(({ key }) => key)] as const).map((metric) => [
        'queued',
        acceptedMessage(metric),
      ]),
    );
    assert.equal(new Set(idsOf(answered)).size, 11);
    assert.deepEqual(
      edge.ports.requests.map(({ id, prompt, response, metric }) => [id, prompt, response, metric]),
      requests.map((request, at) => [
        answered.tasks[at]?.task_id,
        request.prompt,
        'response' in request ? request.response : null,
        'metric' in request ? request.metric : 'all',
      ]),
    );
    const status = await edge.get(`${metrics}/task/${answered.tasks[3]?.task_id ?? ''}/status`);
    assert.equal(((await status.json()) as { status: string }).status, 'queued');
  });

  it('rejects only invalid requests, each with a pointer to the error', async () => {
    const answered = await answerOf(
      await edge.post(`${batch}?metric=text_topic`, [
        { prompt: 'fine' },
        { prompt: '' },
        { prompt: 7, response: [] },
        'no object',
        null,
        { prompt: 'a', metric: 'text-topic' },
        { prompt: 'a', metric: 'hallucination' },
        { prompt: 'a'.repeat(100_001) },
        { prompt: 'fine too', metric: 'all' },
      ]),
    );
    assert.deepEqual([answered.accepted, answered.rejected], [2, 7]);
    assert.deepEqual(
      answered.tasks.map(({ errors = [] }) => errors.map(({ pointer }) => pointer)),
      [
        [],
        ['/1/prompt'],
        ['/2/prompt', '/2/response'],
        ['/3'],
        ['/4'],
        ['/5/metric'],
        ['/6/response'],
        ['/7/prompt'],
        [],
      ],
    );
    assert.deepEqual(
      edge.ports.requests.map(({ prompt, metric }) => [prompt, metric]),
      [
        ['fine', 'text_topic'],
        ['fine too', 'all'],
      ],
    );
  });

  it('is accepted as one request per line, also compressed, and only a broken line is rejected', async () => {
    const body = '{"prompt":"café"}\r\n\n{"prompt":\n{"prompt":"b","metric":"text_metrics"}\n';
    const response = await fetch(`${edge.url}${batch}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${edge.token}`,
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-encoding': 'gzip',
      },
      body: new Uint8Array(gzipSync(body)),
    });
    const answered = await answerOf(response);
    assert.deepEqual(
      answered.tasks.map(({ status, errors }) => [status, errors?.[0]?.pointer]),
      [
        ['queued', undefined],
        ['rejected', '/1'],
        ['queued', undefined],
      ],
    );
    assert.deepEqual(
      edge.ports.requests.map(({ prompt }) => prompt),
      ['café', 'b'],
    );
  });

  it('is refused as a whole if it is empty, too long, too large or malformed', async () => {
    const statuses = [];
    for (const [body, headers] of [
      [[], {}],
      [prompts(1_001), {}],
      [{ prompt: 'one' }, {}],
      ['[', {}],
      [prompts(1), { 'content-type': 'text/csv' }],
      [[{ prompt: 'a'.repeat(4 * 1024 * 1024) }], {}],
    ] as const) {
      const response = await edge.post(batch, body, headers);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      await response.text();
      statuses.push(response.status);
    }
    const metric = await edge.post(`${batch}?metric=nothing`, prompts(1));
    assert.match(((await metric.json()) as { detail: string }).detail, /`metric` must be one of all, /);
    assert.deepEqual([...statuses, metric.status], [422, 422, 422, 400, 415, 413, 422]);
    assert.equal(edge.ports.requests.length, 0);
  });

  it('gives the same tasks under the same Idempotency-Key, all of them, and 409 for another batch', async () => {
    const headers = { 'idempotency-key': 'batch-7' };
    const requests = [...prompts(3), { prompt: '' }];
    const first = await answerOf(await edge.post(batch, requests, headers));
    const again = await answerOf(await edge.post(batch, requests, headers));
    assert.deepEqual(again, first);
    assert.equal(new Set(idsOf(first)).size, 4);
    assert.equal(edge.ports.requests.length, 3);
    assert.equal((await edge.post(batch, prompts(4), headers)).status, 409);
    assert.equal((await edge.post(`${metrics}/task`, prompts(1)[0], headers)).status, 409);
    assert.equal((await edge.post(batch, requests, { 'idempotency-key': 'a b' })).status, 400);
    assert.equal(edge.ports.requests.length, 3);
  });

  it('answers 503 if nothing can be stored, and 429 before its body is read while the buffer is full', async () => {
    edge.ports.failAppends('APPEND_TIMED_OUT');
    assert.equal((await edge.post(batch, prompts(5))).status, 503);
    edge.ports.failAppends(undefined);
    edge.ports.setPressure({ soft: true });
    assert.equal((await edge.post(batch, prompts(5))).status, 429);
    assert.equal(edge.ports.requests.length, 0);
  });

  it('says for each request whether it is stored if an outage starts partway', async () => {
    edge.ports.failAppends('BUFFER_FULL', 4);
    const answered = await answerOf(await edge.post(batch, prompts(1_000)));
    assert.deepEqual([answered.accepted, answered.rejected], [400, 600]);
    assert.deepEqual(
      answered.tasks.flatMap(({ task_id: id }) => (id === undefined ? [] : [id])).sort(),
      edge.ports.requests.map(({ id }) => id).sort(),
    );
    for (const { type, errors } of answered.tasks.filter(({ status }) => status === 'rejected')) {
      assert.equal(type, 'urn:telltale:problem:unavailable');
      assert.match(errors?.[0]?.pointer ?? '', /^\/\d+$/);
    }
  });
});

describe('a batch of tasks over a rate limit', () => {
  it('costs as much as its requests one by one', async () => {
    let now = 0;
    const edge = await startEdgeInMemory({
      config: { EDGE_RATE_LIMIT_PER_SECOND: 10, EDGE_RATE_LIMIT_BURST: 5 },
      clock: () => now,
    });
    try {
      const first = await edge.post(batch, prompts(25));
      assert.equal(first.headers.get('ratelimit-remaining'), '0');
      assert.equal((await answerOf(first)).accepted, 25);
      now += 1_900_000;
      const early = await edge.post(`${metrics}/task`, prompts(1)[0]);
      assert.equal(early.status, 429);
      assert.equal(early.headers.get('retry-after'), '1');
      now += 300_000;
      assert.equal((await edge.post(`${metrics}/task`, prompts(1)[0])).status, 202);
    } finally {
      await edge.stop();
    }
  });
});
