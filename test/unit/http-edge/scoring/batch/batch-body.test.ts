import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  largestBatch,
  readBatch,
  type BatchPart,
} from '../../../../../http-edge/scoring/batch/batch-body.js';
import { Problem } from '../../../../../runtime/http/problem.js';

const json = 'application/json';
const lines = 'application/x-ndjson';

const partsOf = (body: Buffer, mediaType: string): Promise<readonly BatchPart[]> =>
  readBatch(body, mediaType, (part) => part);

async function statusOf(body: string, mediaType: string): Promise<number> {
  try {
    await partsOf(Buffer.from(body), mediaType);
    return 202;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.status;
  }
}

describe('the requests of a batch', () => {
  it('are the same as an array and as lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { minLength: 1, maxLength: 20 }),
        fc.constantFrom('\n', '\r\n', '\n\n \t\r\n'),
        fc.boolean(),
        async (values, separator, ends) => {
          const text = values.map((value) => JSON.stringify(value)).join(separator);
          const ofLines = await partsOf(Buffer.from(ends ? text + separator : text), lines);
          assert.deepEqual(ofLines, await partsOf(Buffer.from(JSON.stringify(values)), json));
          assert.equal(ofLines.length, values.length);
        },
      ),
    );
  });

  it("keep their positions among lines that can't be read", async () => {
    const broken = Buffer.concat([
      Buffer.from('\ufeff{"prompt":"a"}\n{"prompt":\n"'),
      Buffer.of(0xff),
      Buffer.from('"\n{"prompt":"b"}'),
    ]);
    const parts = await partsOf(broken, lines);
    assert.deepEqual(parts[0], { value: { prompt: 'a' } });
    assert.match((parts[1] as { unreadable: string }).unreadable, /JSON/);
    assert.match((parts[2] as { unreadable: string }).unreadable, /UTF-8/);
    assert.deepEqual(parts[3], { value: { prompt: 'b' } });
  });

  it('are at least one and at most 1,000', async () => {
    const many = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
    assert.equal(await statusOf('[]', json), 422);
    assert.equal(await statusOf('\n \n', lines), 422);
    assert.equal(await statusOf(JSON.stringify(many(largestBatch)), json), 202);
    assert.equal(await statusOf(JSON.stringify(many(largestBatch + 1)), json), 422);
    assert.equal(await statusOf('{}\n'.repeat(largestBatch + 1), lines), 422);
  });

  it('must be an array if they are sent as JSON', async () => {
    assert.equal(await statusOf('{"prompt":"a"}', json), 422);
    assert.equal(await statusOf('{"prompt":"a"}\n{"prompt":"b"}', json), 400);
  });
});
