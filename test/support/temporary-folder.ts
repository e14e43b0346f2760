import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for one test, removed once its whole suite has ended and everything it started is stopped. Call
 * this inside `describe`.
 */
export function temporaryFolder(): () => string {
  const folders: string[] = [];
  beforeEach(() => {
    folders.push(mkdtempSync(join(tmpdir(), 'telltale-')));
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return () => folders.at(-1) ?? '';
}
