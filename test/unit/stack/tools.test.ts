import assert from 'node:assert/strict';
import { findJava, majorVersion, requireJava } from '../../../stack/tools.js';

describe('the Java that is found', () => {
  it('is known by its major version, in the old and the new format', () => {
    assert.equal(majorVersion('openjdk version "17.0.15" 2025-04-15'), 17);
    assert.equal(majorVersion('openjdk version "25" 2025-09-16'), 25);
    assert.equal(majorVersion('java version "1.8.0_402"'), 8);
    assert.equal(majorVersion('command not found'), 0);
  });

  it('must be in the range that a server runs on', async () => {
    const { fits, seen } = await findJava({ least: 9000 });
    assert.equal(fits, undefined);
    assert.ok(seen.every((version) => version >= 8));
    await assert.rejects(requireJava('A server', { least: 9000, before: 9001 }), {
      code: 'TOOL_MISSING',
      message: /Java 9000 or newer, below 9001, is needed for A server/,
    });
  });
});
