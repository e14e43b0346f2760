import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isOlder, version } from '../../../runtime/version.js';

describe('the version', () => {
  it('is that of package.json', () => {
    const { version: packaged } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal(version, packaged);
  });

  it('is compared by number, part by part, and a text that is no version is never older', () => {
    assert.ok(isOlder('0.9.9', '0.10.0'));
    assert.ok(isOlder('1.2.3', '2.0.0'));
    assert.ok(!isOlder('0.1.0', '0.1.0'));
    assert.ok(!isOlder('1.0.0', '0.9.9'));
    assert.ok(!isOlder('built at home', '1.0.0'));
    assert.ok(!isOlder('1.0.0', 'built at home'));
  });
});
