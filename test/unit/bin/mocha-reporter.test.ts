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
  it('is broken', () => { throw new Error(tries++ === 2 ? 'as ever' : 'of what was left'); });
});
`;

interface Totals {
  readonly passes: number;
  readonly failures: number;
  readonly shaky: readonly string[];
  readonly failed: readonly string[];
}

describe('the summary of a test run', () => {
  let totals: Totals;

  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'telltale-'));
    const file = join(folder, 'shaky.cjs');
    const totalsFile = join(folder, 'totals.json');
    writeFileSync(file, tests);
    const reporter = ['--reporter', './bin/mocha-reporter.cjs', '--reporter-option', `totals=${totalsFile}`];
    await new Promise((resolve) =>
      execFile(
        process.execPath,
        ['node_modules/mocha/bin/mocha.js', '--no-config', '--retries', '1', ...reporter, file],
        resolve,
      ),
    );
    totals = JSON.parse(readFileSync(totalsFile, 'utf8')) as Totals;
    rmSync(folder, { recursive: true });
  });

  it('names what passed only at the second try, and why it failed first', () => {
    assert.equal(totals.shaky.length, 1);
    assert.match(
      totals.shaky[0] ?? '',
      /a suite is shaky \(.*shaky\.cjs\)\n +Error: the first try met a full moon/,
    );
  });

  it('names what failed, and why at each try', () => {
    assert.equal(totals.failed.length, 1);
    const words =
      /a suite is broken \(.*shaky\.cjs\)\n +Error: of what was left\n[^]*\n +at the first try:\n +Error: as ever/;
    assert.match(totals.failed[0] ?? '', words);
  });

  it('counts each test once', () => {
    assert.deepEqual([totals.passes, totals.failures], [2, 1]);
  });
});
