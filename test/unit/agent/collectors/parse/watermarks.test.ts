import assert from 'node:assert/strict';
import { parseWatermark, parseWatermarks } from '../../../../../agent/collectors/parse/watermarks.js';

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

  it("is Elasticsearch's own, marked as assumed, where the settings can't be read: with headrooms from 8 on", () => {
    const [seven, eight] = [7, 8].map((major) => parseWatermarks(undefined, major));
    for (const body of [seven, eight]) {
      assert.deepEqual([body?.low.used_ratio, body?.low.source], [0.85, 'assumed']);
    }
    assert.deepEqual([seven?.low_max_headroom_bytes, eight?.low_max_headroom_bytes], [null, 200 * gigabyte]);
  });
});
