import assert from 'node:assert/strict';
import type { OtlpPage } from '../../../../http-edge/traces/trace-reader.js';
import { TelltaleError, type ErrorCode } from '../../../../runtime/errors.js';
import { exampleTraceId } from '../../../../schemas/openapi/trace-paths.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';

describe('the routes of traces', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
  });
  after(() => edge.stop());

  const failing = (code: ErrorCode): void =>
    void Object.assign(edge.ports.traces, {
      search: () => Promise.reject(new TelltaleError(code)),
      durations: () => Promise.reject(new TelltaleError(code)),
    });
  const wrongOf = async (path: string): Promise<unknown> => {
    const answer = await edge.get(path);
    const { errors } = (await answer.json()) as { errors?: readonly { pointer: string }[] };
    return [answer.status, errors?.[0]?.pointer];
  };

  it('name the parameter that is wrong', async () => {
    for (const [query, pointer] of [
      ['spans=some', '/spans'],
      ['status=bad', '/status'],
      ['attribute=%3Dx', '/attribute'],
      ['min_ms=-1', '/min_ms'],
      ['min_ms=2&max_ms=1', '/max_ms'],
      ['operation=', '/operation'],
      ['cursor=t-1-a-b', '/cursor'],
      [`cursor=t-9999999999999999999-${'a'.repeat(32)}-${'b'.repeat(16)}`, '/cursor'],
      ['from=2026-01-02&to=2026-01-01', '/to'],
    ] as const)
      assert.deepEqual(await wrongOf(`/api/v1/traces?${query}`), [422, pointer], query);
    assert.deepEqual(await wrongOf(`/api/v1/traces/${exampleTraceId}/otlp?span_id=1`), [422, '/span_id']);
    for (const path of [exampleTraceId, `${exampleTraceId}/otlp`])
      assert.deepEqual(await wrongOf(`/api/v1/traces/${path}?cursor=1`), [422, '/cursor'], path);
  });

  it('say in a header where a trace as OTLP/JSON continues', async () => {
    const answer = await edge.get(`/api/v1/traces/${exampleTraceId}/otlp`);
    assert.match(answer.headers.get('link') ?? '', /^<\?cursor=w-\d+-\d+-[0-9a-f]{16}>; rel="next"$/);
    assert.deepEqual(Object.keys((await answer.json()) as object), ['resourceSpans']);
  });

  it('take a cursor only with the filter it came with', async () => {
    const cursor = `t-1-${'a'.repeat(32)}-${'b'.repeat(16)}-f00000000`;
    assert.deepEqual(await wrongOf(`/api/v1/traces?application=shop&cursor=${cursor}`), [422, '/cursor']);
  });

  it('answer 404 for an unknown trace, and for an invalid id', async () => {
    for (const id of ['0'.repeat(32), 'nothing'])
      for (const path of [id, `${id}/otlp`])
        assert.deepEqual(await wrongOf(`/api/v1/traces/${path}`), [404, undefined], path);
    assert.equal((await edge.get(`/api/v1/traces/${exampleTraceId.toUpperCase()}`)).status, 200);
  });

  it('say what to narrow if a question is too expensive, and to try again if the store is down', async () => {
    for (const path of ['/api/v1/traces', '/api/v1/traces/durations?spans=all']) {
      failing('QUERY_TOO_LARGE');
      assert.deepEqual(await wrongOf(path), [422, '/from']);
      failing('CLICKHOUSE_UNREACHABLE');
      assert.deepEqual(await wrongOf(path), [503, undefined]);
    }
  });

  it("answer 500 if an answer has a header that can't be written", async () => {
    const broken = (): Promise<OtlpPage> => Promise.resolve({ request: {}, next: 'a\nb' });
    Object.assign(edge.ports.traces, { otlp: broken });
    assert.equal((await edge.get(`/api/v1/traces/${exampleTraceId}/otlp`)).status, 500);
  });
});
