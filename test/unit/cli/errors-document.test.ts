import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { errorsDocument } from '../../../cli/errors-document.js';

/** Prettier pads tables, so columns are compared without padding. */
const folded = (markdown: string): string => markdown.replace(/[ -]+/g, ' ').trim();

describe('docs/errors.md', () => {
  it('has every problem and every error as the code has them', () => {
    assert.equal(
      folded(readFileSync('docs/errors.md', 'utf8')),
      folded(errorsDocument()),
      'run `npm run generate`',
    );
  });
});
