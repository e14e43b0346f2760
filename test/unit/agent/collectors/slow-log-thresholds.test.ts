import assert from 'node:assert/strict';
import { thresholdsIn } from '../../../../agent/collectors/slow-log-thresholds.js';

describe('slow-log thresholds', () => {
  it('are set where any index has one that is not switched off', () => {
    const search = { settings: { 'index.search.slowlog.threshold.query.warn': '10s' } };
    const indexing = { settings: { 'index.indexing.slowlog.threshold.index.info': '0ms' } };
    const off = { settings: { 'index.search.slowlog.threshold.fetch.debug': '-1' } };
    assert.deepEqual(thresholdsIn({}), { search: false, indexing: false });
    assert.deepEqual(thresholdsIn({ a: off }), { search: false, indexing: false });
    assert.deepEqual(thresholdsIn({ a: off, b: search }), { search: true, indexing: false });
    assert.deepEqual(thresholdsIn({ a: search, b: indexing }), { search: true, indexing: true });
  });

  it('are unknown where the answer is none', () => {
    assert.equal(thresholdsIn('<html>'), null);
    assert.equal(thresholdsIn(null), null);
  });
});
