import assert from 'node:assert/strict';
import { watermarksOf } from '../../../../../processors/cluster-health/situation/watermarks-of.js';
import { watermarksSection } from '../../../../../schemas/snapshots/topology-section.js';

const configured = (but: object = {}) =>
  watermarksSection.parse({
    threshold_enabled: true,
    low: { text: '50gb', source: 'persistent', free_bytes: 50 * 1_073_741_824 },
    high: { text: '0.9', source: 'transient', used_ratio: 0.9 },
    flood_stage: { text: '95%', source: 'default', used_ratio: 0.95 },
    flood_stage_frozen: { text: '95%', source: 'default', used_ratio: 0.95 },
    high_max_headroom_bytes: 1_000,
    ...but,
  });

describe('watermarks', () => {
  it('are taken as configured, in every form', () => {
    const { low, high, assumed, enabled } = watermarksOf(configured(), '8.14.1', 'unread', false);
    assert.deepEqual(low, {
      text: '50gb',
      watermark: { freeBytes: 50 * 1_073_741_824 },
      maxHeadroomBytes: null,
    });
    assert.deepEqual(high, { text: '0.9', watermark: { usedRatio: 0.9 }, maxHeadroomBytes: 1_000 });
    assert.equal(assumed, null);
    assert.equal(enabled, true);
  });

  it('are the defaults of the version if they could not be read, and say why', () => {
    const modern = watermarksOf(undefined, '9.0.1', 'the privilege is missing', false);
    const older = watermarksOf(undefined, '7.17.15', 'the privilege is missing', false);
    assert.equal(modern.assumed, 'the privilege is missing');
    assert.equal(modern.low.maxHeadroomBytes, 200 * 1_073_741_824);
    assert.equal(older.low.maxHeadroomBytes, null);
  });

  it('are only the flood stage for the only data node of 7.x, unless the cluster enables the others for it', () => {
    const of = (version: string, single: boolean | null) =>
      watermarksOf(configured({ enable_for_single_data_node: single }), version, '', true).floodStageOnly;
    assert.equal(of('7.17.15', false), true);
    assert.equal(of('7.17.15', true), false);
    assert.equal(of('7.3.0', null), true);
    assert.equal(watermarksOf(undefined, '7.17.15', '', true).floodStageOnly, true);
    assert.equal(watermarksOf(undefined, '7.17.15', '', false).floodStageOnly, false);
    assert.equal(of('8.14.1', false), false);
  });
});
