import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventsDataset } from '../../../../http-edge/agent/events-dataset.js';
import { readItems } from '../../../../http-edge/agent/read-items.js';
import { jsonCodec } from '../../../support/json-codec.js';

const dataset = eventsDataset(jsonCodec());
const read = (body: string | Buffer) => readItems(Buffer.from(body), dataset, 0);
const line = (metric: string): string => JSON.stringify({ metric, type: 'increment' });

describe('the lines of a batch', () => {
  it('are read one by one; a bad one costs no other, and blank ones are none', async () => {
    const bad = Buffer.from([0x22, 0xff, 0x22]);
    const body = Buffer.concat([
      Buffer.from(`${line('a')}\r\n\n{"metric":\n[]\n`),
      bad,
      Buffer.from(`\n  \n${line('b')}\n{"metric":"c","type":"gauge"}`),
    ]);
    const { items, rejected, rejectedCount } = await read(body);
    assert.deepEqual(
      (items as { metric: string }[]).map(({ metric }) => metric),
      ['a', 'b'],
    );
    assert.equal(rejectedCount, 4);
    assert.deepEqual(rejected, [
      { index: 1, detail: 'The line is not valid JSON.' },
      { index: 2, detail: 'An event must be a JSON object.' },
      { index: 3, detail: 'The line is not valid UTF-8.' },
      { index: 5, detail: '`value` is missing. Send a number.' },
    ]);
  });

  it('are none in an empty body', async () => {
    assert.deepEqual(await read(''), { items: [], rejected: [], rejectedCount: 0 });
  });

  it('are counted whole where only the first reasons are listed', async () => {
    const { rejected, rejectedCount } = await read('x\n'.repeat(5_000));
    assert.equal(rejectedCount, 5_000);
    assert.equal(rejected.length, 20);
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
        const { items, rejectedCount } = await read(body);
        const written = body.toString('latin1').split('\n');
        assert.ok(items.length + rejectedCount <= written.length);
      }),
    );
  });
});
