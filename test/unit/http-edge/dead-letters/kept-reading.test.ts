import assert from 'node:assert/strict';
import { KeptReading } from '../../../../http-edge/dead-letters/kept-reading.js';

describe('a kept reading', () => {
  let nowMs = 0;
  let readings = 0;
  let takesMs = 0;
  const read = (): Promise<number> => {
    readings += 1;
    nowMs += takesMs;
    return Promise.resolve(readings);
  };
  let kept: KeptReading<number>;

  beforeEach(() => {
    [nowMs, readings, takesMs] = [0, 0, 0];
    kept = new KeptReading(read, () => nowMs);
  });

  it('is shared by whoever asks within five seconds', async () => {
    await kept.get();
    nowMs += 4_999;
    assert.equal(await kept.get(), 1);
    nowMs += 1;
    assert.equal(await kept.get(), 2);
  });

  it('is kept for nine times as long as it took', async () => {
    takesMs = 10_000;
    await kept.get();
    nowMs += 89_999;
    assert.equal(await kept.get(), 1);
    nowMs += 1;
    assert.equal(await kept.get(), 2);
  });

  it('is taken again once it is forgotten', async () => {
    await kept.get();
    kept.forget();
    assert.equal(await kept.get(), 2);
  });

  it('is not kept if it failed', async () => {
    let fails = true;
    const failing = new KeptReading(() => (fails ? Promise.reject(new Error('away')) : read()));
    await assert.rejects(failing.get(), /away/);
    fails = false;
    assert.equal(await failing.get(), 1);
  });
});
