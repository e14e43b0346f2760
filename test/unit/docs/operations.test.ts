import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('docs/operations.md', () => {
  it('has a test named after each thing that goes wrong', () => {
    const [, cases = ''] = readFileSync('docs/operations.md', 'utf8').split(
      '## What goes wrong, and what to type',
    );
    const headings = [...cases.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
    assert.ok(headings.length >= 10, headings.join('; '));
    const folder = 'test';
    const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    const named = (heading: string): boolean => tests.some((text) => text.includes(`it('${heading}: `));
    assert.deepEqual(
      headings.filter((heading) => !named(heading)),
      [],
    );
  });
});
