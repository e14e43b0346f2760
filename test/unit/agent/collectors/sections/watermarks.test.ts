import assert from 'node:assert/strict';
import { watermarksCollector } from '../../../../../agent/collectors/sections/watermarks.js';
import type { WatermarksSection } from '../../../../../schemas/snapshots/topology-section.js';
import { answered, collectFrom } from '../../../../support/stub-collection.js';

describe('the disk watermarks of a cluster', () => {
  it("are Elasticsearch's defaults if their settings may not be read, whoever forbids it", async () => {
    const reason = 'action [cluster:monitor/settings] is unauthorized for user [u]';
    const security = { error: { type: 'security_exception', reason }, status: 403 };
    for (const [body, why] of [
      [security, /the action cluster:monitor\/settings is not allowed/],
      ['<html>Forbidden</html>', /the 403 does not come from the cluster: is there a proxy/],
    ] as const) {
      const outcome = await collectFrom(watermarksCollector, () => answered(403, body));
      assert.ok(outcome.ok && outcome.collected !== null);
      const { low } = outcome.collected.body as WatermarksSection;
      assert.deepEqual([low.used_ratio, low.source], [0.85, 'assumed']);
      const [absence] = outcome.collected.unavailable;
      assert.deepEqual([absence?.field, absence?.code], ['*', 'forbidden']);
      assert.match(absence?.reason ?? '', why);
    }
  });

  it('are not reported if the cluster could not answer', async () => {
    const outcome = await collectFrom(watermarksCollector, () => answered(404, 'Not here'));
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'broken');
  });
});
