import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  defaultPiiSettings,
  piiScorer,
  piiVersion,
} from '../../../../../../processors/score-metrics/metrics/pii/score-pii.js';

const clean = piiScorer();
const langkit = piiScorer({ ...defaultPiiSettings, mode: 'langkit' });

describe("the PII metric's values", () => {
  it('carries every member as a string, and counts the objects', () => {
    assert.deepEqual(clean('mail jane@example.org'), {
      result: '[{"type": "EMAIL_ADDRESS", "start": "5", "end": "21", "score": "1.0"}]',
      entitiesCount: 1,
    });
  });

  it('is the string of an empty array for a text without any', () => {
    for (const text of ['', ' ', 'a', '\ud83d', 'nothing to see']) {
      assert.deepEqual(clean(text), { result: '[]', entitiesCount: 0 });
    }
  });

  it('counts code points, not UTF-16 units', () => {
    const [span] = JSON.parse(clean('😀😀 jane@example.org').result) as { start: string; end: string }[];
    assert.deepEqual([span?.start, span?.end], ['3', '19']);
  });

  it('gives the raw list in the mode of the reference, best score first, and no e-mail addresses', () => {
    const { result, entitiesCount } = langkit('write jane@example.org 483920175');
    const types = (JSON.parse(result) as { type: string }[]).map(({ type }) => type);
    assert.deepEqual(types, ['URL', 'US_PASSPORT', 'US_SSN', 'US_BANK_NUMBER', 'US_DRIVER_LICENSE']);
    assert.equal(entitiesCount, types.length);
  });

  it('says in its version what decides the values', () => {
    assert.notEqual(piiVersion(defaultPiiSettings), piiVersion({ ...defaultPiiSettings, threshold: 0.5 }));
    assert.notEqual(piiVersion(defaultPiiSettings), piiVersion({ ...defaultPiiSettings, mode: 'langkit' }));
  });

  it('is JSON of as many objects as it counts, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9 .@:+-]{0,40}$/), (a, b) => {
        for (const score of [clean, langkit]) {
          const { result, entitiesCount } = score(`${a} ${b} ${a}`);
          assert.equal((JSON.parse(result) as unknown[]).length, entitiesCount);
        }
      }),
    );
  });
});
