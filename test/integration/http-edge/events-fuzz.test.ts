import assert from 'node:assert/strict';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { eventParameters, eventTypes } from '../../../schemas/custom-event.js';
import { createWireClient, type WireClient, type WireRequest } from '../../contract/http-client.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { heapGrowth } from '../../support/heap-growth.js';
import { runs } from '../../support/properties.js';

/** Bodies sent in place of an event: nearly right, far off, and broken. */
const eventLike = fc.record(
  {
    metric: fc.oneof(fc.string(), fc.constantFrom('orders', '', '__proto__', '\u0000', '\ud800')),
    type: fc.oneof(fc.constantFrom(...eventTypes), fc.jsonValue()),
    value: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.jsonValue()),
    cluster: fc.oneof(fc.string(), fc.jsonValue()),
    timestamp: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);
const deep = fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

/** Text with some of its bytes changed, removed or doubled. */
const mutated = (of: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(of, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(3)), { maxLength: 4 }))
    .map(([text, changes]) => {
      let buffer = Buffer.from(text);
      for (const [place, byte, kind] of changes) {
        const at = place % Math.max(1, buffer.length);
        const [before, after] = [buffer.subarray(0, at), buffer.subarray(kind === 1 ? at + 1 : at)];
        buffer = Buffer.concat(
          kind === 0
            ? [before, Buffer.of(byte), after]
            : [before, kind === 2 ? after : Buffer.concat([after, before])],
        );
      }
      return buffer;
    });

describe('the event endpoints under fuzz', () => {
  let edge: EdgeInMemory;
  let client: WireClient;

  before(async () => {
    edge = await startEdgeInMemory();
    client = createWireClient(edge.url);
  });
  after(async () => {
    client.close();
    await edge.stop();
  });

  const authorized = (more: Readonly<Record<string, string>>) => ({
    authorization: `Bearer ${edge.token}`,
    ...more,
  });
  const queryText = fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom<string>(...eventParameters), fc.stringMatching(/^[!-"$-~]{0,8}$/)),
        fc.oneof(
          fc.stringMatching(/^[!-"$-~]{0,30}$/),
          fc.string().map((text) => encodeURIComponent(text.toWellFormed())),
          fc.double().map(String),
          fc.constantFrom<string>(...eventTypes, '%', '%zz', '%ff%fe', '%00', '1e999', '0x1', '-0', ''),
        ),
        fc.constantFrom('=', '=', '=', '', '=='),
      ),
      { maxLength: 8 },
    )
    .map((pairs) => pairs.map(([name, value, between]) => `${name}${between}${value}`).join('&'));
  const nearlyRight = fc
    .record({
      metric: fc.oneof(fc.string({ minLength: 1 }), fc.constant('orders')),
      type: fc.constantFrom<string>(...eventTypes, 'counter'),
      value: fc.oneof(fc.nat(100), fc.double()).map(String),
      cluster: fc.string(),
    })
    .map((of) =>
      Object.entries(of)
        .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
        .join('&'),
    );
  const get = fc
    .tuple(fc.oneof(queryText, nearlyRight), fc.boolean())
    .map(([query, withKey]): WireRequest => ({
      method: 'GET',
      path: `/?${query}${withKey ? `&apiKey=${edge.token}` : ''}`,
      headers: {},
      body: undefined,
    }));
  const arrayText = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(fc.oneof(eventLike, fc.jsonValue()), { maxLength: 8 })
        .map((all) => JSON.stringify(all)),
    },
    { weight: 1, arbitrary: deep },
  );
  const linesText = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(fc.oneof(eventLike, fc.jsonValue()), { maxLength: 8 })
        .map((all) => all.map((one) => JSON.stringify(one)).join('\n')),
    },
    { weight: 1, arbitrary: deep },
  );
  const bodyOf = (text: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.oneof({ weight: 5, arbitrary: mutated(text) }, { weight: 1, arbitrary: bytes }), fc.nat(9))
      .map(([body, coding]) => {
        if (coding === 0) return { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } };
        if (coding === 1) return { body: deflateSync(body), headers: { 'content-encoding': 'deflate' } };
        if (coding === 2) return { body, headers: { 'content-encoding': 'gzip' } };
        return { body, headers: {} };
      });
  const post = bodyOf(arrayText).map(({ body, headers }): WireRequest => ({
    method: 'POST',
    path: '/',
    headers: authorized({ 'content-type': 'application/json', ...headers }),
    body,
  }));
  const batch = fc
    .tuple(bodyOf(linesText), fc.uuid(), fc.nat(5))
    .map(([{ body, headers }, spool, sequence]): WireRequest => ({
      method: 'POST',
      path: '/api/v1/agent/events',
      headers: authorized({
        'content-type': 'application/x-ndjson',
        'batch-id': `${spool}/${sequence}`,
        ...headers,
      }),
      body,
    }));

  it('answer nothing with a 5xx, accept some requests of each kind, and do not grow in memory', async () => {
    const taken = new Map<string, number>();
    const property = fc.asyncProperty(fc.oneof(get, post, batch), async (wire) => {
      const { status } = await client.send(wire);
      assert.ok(
        status < 500,
        `${status} for ${wire.method} ${wire.path}\n${wire.body?.toString('latin1') ?? ''}`,
      );
      const name = `${wire.method} ${wire.path.split('?', 1)[0] ?? ''}`;
      if (status === 200) taken.set(name, (taken.get(name) ?? 0) + 1);
      for (const event of edge.ports.events.splice(0))
        assert.ok(Number.isFinite(event.value) && event.metric !== '');
      edge.ports.records.splice(0);
    });
    await fc.assert(property, { numRuns: runs(500) });
    const grown = await heapGrowth(16, () => fc.assert(property, { numRuns: runs(2_000) }));
    assert.ok(grown < 16, `the heap grew by ${grown} MiB`);
    for (const name of ['GET /', 'POST /', 'POST /api/v1/agent/events'])
      assert.ok((taken.get(name) ?? 0) > 12, `${name}: ${taken.get(name) ?? 0}`);
    assert.equal((await edge.get('/livez')).status, 200);
  });
});
