import assert from 'node:assert/strict';
import { defaultPiiSettings } from '../../../../processors/score-metrics/metrics/pii/score-pii.js';
import { piiConfig, piiSettings } from '../../../../processors/score-metrics/pii-config.js';
import { readConfig } from '../../../../runtime/config.js';

describe('the configuration of personal data', () => {
  it('is the standard one if nothing is set', () => {
    assert.deepEqual(piiSettings(readConfig(piiConfig, {})), defaultPiiSettings);
  });

  it('takes a mode, a threshold and whether overlaps are resolved', () => {
    const environment = { PII_MODE: 'langkit', PII_THRESHOLD: '0.5', PII_RESOLVE_OVERLAPS: 'false' };
    assert.deepEqual(piiSettings(readConfig(piiConfig, environment)), {
      mode: 'langkit',
      threshold: 0.5,
      resolveOverlaps: false,
    });
  });

  it('refuses a threshold that is not between 0 and 1', () => {
    assert.throws(() => readConfig(piiConfig, { PII_THRESHOLD: '35' }), /PII_THRESHOLD/);
  });
});
