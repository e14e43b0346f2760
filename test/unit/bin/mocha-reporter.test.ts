import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tests = `
let tries = 0;
describe('a suite', () => {
  it('is steady', () => undefined);
  it('is shaky', () => { if (tries++ === 0) throw new Error('the first try met a full moon'); });
  it('is broken', () => { throw new Error('always'); });
});
`;

describe('the report of the tests', () => {
  let printed = '';
  let totals: unknown;

  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'telltale-'));
    const file = join(folder, 'shaky.cjs');
    const totalsFile = join(folder, 'totals.json');
    writeFileSync(file, tests);
    const reporter = ['--reporter', './bin/mocha-reporter.cjs', '--reporter-option', `totals=${totalsFile}`];
    printed = await new Promise<string>((resolve) =>
      execFile(
        process.execPath,
        ['node_modules/mocha/bin/mocha.js', '--no-config', '--retries', '1', ...reporter, file],
        (_, stdout) => resolve(stdout),
      ),
    );
    totals = JSON.parse(readFileSync(totalsFile, 'utf8'));
    rmSync(folder, { recursive: true });
  });

  it('names at its end what passed only at the second try, and why it failed first', () => {
    const end = printed.slice(
      printed.indexOf('telltale: 1 passed only at the second try:'),
      printed.indexOf('telltale: 1 failed:'),
    );
    assert.match(end, /a suite is shaky \(.*shaky\.cjs\)\n +Error: the first try met a full moon/);
    assert.doesNotMatch(end, /steady|broken/);
  });

  it('says last of all what failed, and why', () => {
    const end = printed.slice(printed.indexOf('telltale: 1 failed:'));
    assert.match(end, /a suite is broken \(.*shaky\.cjs\)\n +Error: always/);
    assert.doesNotMatch(end, /steady|is shaky/);
  });

  it('counts each test once', () => {
    assert.deepEqual(totals, { passes: 2, failures: 1 });
  });
});
