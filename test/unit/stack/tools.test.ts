import assert from 'node:assert/strict';
import { majorVersion } from '../../../stack/tools.js';

describe('the Java that is found', () => {
  it('is known by its major version, old and new way', () => {
    assert.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
    assert.equal(majorVersion('openjdk version "25" 2025-09-16'), 25);
    assert.equal(majorVersion('java version "1.8.0_402"'), 8);
    assert.equal(majorVersion('command not found'), 0);
  });
});
