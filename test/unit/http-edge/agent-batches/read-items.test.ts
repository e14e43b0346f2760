import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventsDataset } from '../../../../http-edge/agent-batches/events-dataset.js';
import type { AgentDataset } from '../../../../http-edge/agent-batches/dataset.js';
import { spansDataset } from '../../../../http-edge/agent-batches/spans-dataset.js';
import { readItems } from '../../../../http-edge/agent-batches/read-items.js';
import { jsonCodec } from '../../../support/json-codec.js';
import { spansCodec } from '../../../support/spans-codec.js';

const mebibyte = 1024 * 1024;

const dataset = eventsDataset(jsonCodec());
const context = { workspace: 'acme', keyId: 'k1', receivedAt: 1_700_000_000_000_000 };
const read = (body: string | Buffer) => readItems(Buffer.from(body), dataset, context);
const line = (metric: string): string => JSON.stringify({ metric, type: 'increment' });

describe('the lines of a batch', () => {
  it("are read one by one: a bad line costs no other, and blank lines don't count", async () => {
    const bad = Buffer.from([0x22, 0xff, 0x22]);
    const body = Buffer.concat([
      Buffer.from(`${line('a')}\r\n\n{"metric":\n[]\n`),
      bad,
      Buffer.from(`\n  \n${line('b')}\n{"metric":"c","type":"gauge"}`),
    ]);
    const { records, accepted, rejected, rejectedCount } = await read(body);
    assert.deepEqual(
      records.map(({ key }) => key),
      ['acme:a', 'acme:b'],
    );
    assert.equal(accepted, 2);
    assert.equal(rejectedCount, 4);
    assert.deepEqual(rejected, [
      { index: 1, detail: 'The line is not valid JSON.' },
      { index: 2, detail: 'An event must be a JSON object.' },
      { index: 3, detail: 'The line is not valid UTF-8.' },
      { index: 5, detail: '`value` is missing. Send a number.' },
    ]);
  });

  it('are none in an empty body', async () => {
    const { records, accepted, rejectedCount } = await read('');
    assert.deepEqual([records.length, accepted, rejectedCount], [0, 0, 0]);
  });

  it('are all counted if rejected, although only the first reasons are listed', async () => {
    const { rejected, rejectedCount } = await read('x\n'.repeat(5_000));
    assert.equal(rejectedCount, 5_000);
    assert.equal(rejected.length, 20);
  });

  it("are refused one by one if Kafka would refuse their record, or JSON.parse can't handle them", async () => {
    const large: AgentDataset = {
      name: 'large',
      parse: (item) => ({ item }),
      records: (item) => [{ topic: 't', key: 'k', value: Buffer.alloc(item as number) }],
    };
    const deep = '['.repeat(2 * mebibyte);
    const body = Buffer.from(`1\n${16 * mebibyte}\n${deep}\n2`);
    const { records, recordBytes, accepted, rejected } = await readItems(body, large, context);
    assert.deepEqual(
      records.map(({ value }) => value?.length),
      [1, 2],
    );
    assert.ok(recordBytes < 100);
    assert.equal(accepted, 2);
    assert.deepEqual(
      rejected.map(({ index, detail }) => [index, detail.split(':')[0]]),
      [
        [1, 'The item is too large'],
        [2, 'The line is nested too deeply for an item.'],
      ],
    );
  });

  it('are refused as too large if their records would be far larger than the body', async () => {
    const spans = Array.from({ length: 500 }, (_, id) => ({
      trace_id: (id + 1).toString(16).padStart(32, '0'),
      span_id: '00000000000000aa',
      start: '1',
      end: '2',
    }));
    const resource = { attributes: { types: 's', keys: ['k'], values: ['v'.repeat(200_000)] } };
    const body = Buffer.from(JSON.stringify({ application: 'shop', resource, spans }));
    await assert.rejects(readItems(body, spansDataset(spansCodec), context), { kind: 'body-too-large' });
  });

  it('are each an item or a rejection, whatever the bytes', async () => {
    const lines = fc.array(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
        fc.constant(Buffer.from(line('m'))),
      ),
    );
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        const body = Buffer.concat(all.flatMap((bytes) => [Buffer.from(bytes), Buffer.from('\n')]));
        const { records, rejectedCount } = await read(body);
        const written = body.toString('latin1').split('\n');
        assert.ok(records.length + rejectedCount <= written.length);
      }),
    );
  });
});
