import assert from 'node:assert/strict';
import {
  parseWatermark,
  parseWatermarks,
  unreadWatermarks,
} from '../../../../../agent/collectors/parse/watermarks.js';

const marks = (watermark: object): object => ({
  cluster: { routing: { allocation: { disk: { watermark } } } },
});
const gigabyte = 2 ** 30;

describe('a watermark', () => {
  for (const [text, used_ratio, free_bytes] of [
    ['85%', 0.85, null],
    ['85.5%', 0.855, null],
    ['0.85', 0.85, null],
    ['50gb', null, 50 * gigabyte],
    ['200GB', null, 200 * gigabyte],
    ['1.5tb', null, 1.5 * 1024 * gigabyte],
    ['500mb', null, 500 * 2 ** 20],
    ['50g', null, 50 * gigabyte],
    ['5000m', null, 5_000 * 2 ** 20],
    ['500K', null, 500 * 1024],
    ['2t', null, 2_048 * gigabyte],
    ['0.5p', null, 0.5 * 2 ** 50],
    ['7b', null, 7],
    ['50gg', null, null],
    ['50i', null, null],
    ['nonsense', null, null],
  ] as const) {
    it(`given as ${text} is ${used_ratio === null ? 'what must stay free' : 'what may be used'}, or neither`, () => {
      const mark = parseWatermark({ text, source: 'persistent' });
      assert.deepEqual(mark, { text, source: 'persistent', used_ratio, free_bytes });
    });
  }

  it('is taken from transient before persistent before default settings, each key by itself', () => {
    const body = parseWatermarks(
      {
        defaults: marks({ low: '85%', high: '90%', flood_stage: '95%', 'flood_stage.frozen': '95%' }),
        persistent: marks({ low: '80%', high: '88%' }),
        transient: marks({ low: '70%' }),
      },
      8,
    );
    assert.deepEqual(
      [body.low, body.high, body.flood_stage, body.flood_stage_frozen].map(
        ({ text, source }) => `${text} ${source}`,
      ),
      ['70% transient', '88% persistent', '95% default', '95% default'],
    );
  });

  it('is assumed if its text cannot be read, with a reason, and leaves the others as they were set', () => {
    const answer = { persistent: marks({ low: '50 gibibytes', high: '50g', flood_stage: '1g' }) };
    const { low, high } = parseWatermarks(answer, 8);
    assert.deepEqual([low.source, low.used_ratio], ['assumed', 0.85]);
    assert.deepEqual([high.source, high.free_bytes], ['persistent', 50 * gigabyte]);
    const [unread, ...others] = unreadWatermarks(answer);
    assert.deepEqual(others, []);
    assert.deepEqual([unread?.field, unread?.code], ['low', 'failed']);
    assert.match(unread?.reason ?? '', /"50 gibibytes".*85% is assumed/);
  });

  it('of a single data node of 7.x is off by default, even if the settings cannot be read or lack it', () => {
    for (const answer of [
      undefined,
      { defaults: marks({ low: '0.85', high: '0.9', flood_stage: '0.95' }) },
    ]) {
      assert.equal(parseWatermarks(answer, 7).enable_for_single_data_node, false);
      assert.equal(parseWatermarks(answer, 8).enable_for_single_data_node, true);
    }
    const told = { persistent: marks({ enable_for_single_data_node: 'true' }) };
    assert.equal(parseWatermarks(told, 7).enable_for_single_data_node, true);
  });

  it("is Elasticsearch's default, marked as assumed, if the settings can't be read: with headrooms from 8 on", () => {
    const [seven, eight] = [7, 8].map((major) => parseWatermarks(undefined, major));
    for (const body of [seven, eight]) {
      assert.deepEqual([body?.low.used_ratio, body?.low.source], [0.85, 'assumed']);
    }
    assert.deepEqual([seven?.low_max_headroom_bytes, eight?.low_max_headroom_bytes], [null, 200 * gigabyte]);
  });
});
