import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beginsEntry, parseEntry } from '../../../../../agent/slowlogs/parse/parse.js';

const folder = resolve('../shared/data/agent/slowlog');

/** A file's entries: its lines, with continuation lines appended to their entry. */
function entriesOf(text: string): string[] {
  const entries: string[] = [];
  for (const line of text.split('\n')) {
    if (beginsEntry(line)) entries.push(line);
    else if (line !== '') entries.push(`${entries.pop() ?? ''}\n${line}`);
  }
  return entries;
}

describe('published slow logs of many versions', () => {
  it('are read whole: every entry, with its index and its body', function () {
    if (!existsSync(folder)) this.skip(); // the logs exist only next to the checkout
    for (const file of readdirSync(folder)) {
      for (const entry of entriesOf(readFileSync(join(folder, file), 'utf8'))) {
        const parsed = parseEntry(entry);
        assert.equal(parsed.is, 'operation', `${file}: ${entry.slice(0, 120)}`);
        assert.ok('operation' in parsed && parsed.operation.source?.trim().startsWith('{'), file);
      }
    }
  });
});
