import assert from 'node:assert/strict';
import { parseEntry } from '../../../../agent/slowlogs/parse/parse.js';
import { createScrubber } from '../../../../agent/slowlogs/scrub-pool.js';
import type { ScrubJob } from '../../../../agent/slowlogs/scrub-operation.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import { parseSlowOperation } from '../../../../schemas/slow-operations.js';
import { clusterUuid, searchLine } from '../../../support/slow-logs.js';

function jobOf(source: string): ScrubJob {
  const parsed = parseEntry(searchLine(1));
  assert.ok('operation' in parsed);
  return {
    id: '0'.repeat(32),
    operation: { ...parsed.operation, source },
    cluster: { uuid: clusterUuid, name: 'shop' },
    limits: { maxQueryLength: 2_000, maxSourceLength: 512, storeSource: false, queryText: 'scrubbed' },
    digestKey: 'key',
  };
}

describe('the scrub pool', () => {
  it('loses the texts that hang, kill or break a worker, and nothing else', async () => {
    const scrubber = createScrubber({
      logger: silentLogger,
      metrics: createMetrics(),
      limitMs: 2_000,
      worker: new URL('../../../support/hostile-scrub-worker.js', import.meta.url),
    });
    const sources = [
      '{"password":"x"}',
      '{"a":"hang"}',
      '{"a":1}',
      '{"a":"exit"}',
      '{"a":"throw"}',
      '{"b":2}',
    ];
    try {
      const items = await scrubber.scrub(sources.map(jobOf));
      assert.deepEqual(
        items.map(({ query }) => query),
        ['{"password":"[redacted]"}', null, '{"a":1}', null, null, '{"b":2}'],
      );
      assert.deepEqual(
        items.map(({ query_length, size_at_least }) => [query_length, size_at_least]),
        sources.map((source) => [source.length, false]),
        'the size of what is withheld is known all the same',
      );
      for (const item of items) {
        assert.equal(item.withheld !== null, item.query === null);
        assert.ok(!(item.withheld ?? '').includes('mistake'));
        assert.ok('item' in parseSlowOperation(item));
      }
    } finally {
      await scrubber.stop();
    }
  });
});
