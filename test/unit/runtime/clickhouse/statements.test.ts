import assert from 'node:assert/strict';
import fc from 'fast-check';
import { migrationFolders } from '../../../../cli/commands/migrate.js';
import { readMigrations } from '../../../../runtime/clickhouse/migrations.js';
import { isRepeatable, splitStatements } from '../../../../runtime/clickhouse/statements.js';

describe('the migrations', () => {
  it('are valid together: no two sinks have taken the same number', () => {
    assert.ok(readMigrations(migrationFolders()).length > 10);
  });
});

describe('migration statements', () => {
  it('are split at semicolons outside of strings and comments', () => {
    assert.deepEqual(splitStatements("SELECT 'a;b' -- not; here\n; /* nor; here */ SELECT 1 - 2 / 3;\n"), [
      "SELECT 'a;b'",
      'SELECT 1 - 2 / 3',
    ]);
    assert.deepEqual(splitStatements("SELECT 'it''s; \\'; fine', `a;b`"), [
      "SELECT 'it''s; \\'; fine', `a;b`",
    ]);
  });

  it('keep quoted text whole', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z;/ -]*$/), { minLength: 1, maxLength: 5 }), (texts) => {
        const sql = texts.map((text) => `SELECT '${text}'`).join(';\n');
        assert.deepEqual(
          splitStatements(sql),
          texts.map((text) => `SELECT '${text}'`),
        );
      }),
    );
  });

  it('must be repeatable', () => {
    assert.ok(isRepeatable('CREATE TABLE IF NOT EXISTS t (a UInt8) ENGINE = Memory'));
    assert.ok(isRepeatable('ALTER TABLE t ADD COLUMN IF NOT EXISTS b UInt8'));
    assert.ok(isRepeatable('ALTER TABLE t MATERIALIZE PROJECTION p'));
    assert.ok(!isRepeatable('CREATE TABLE t (a UInt8) ENGINE = Memory'));
    assert.ok(!isRepeatable('INSERT INTO t VALUES (1)'));
    assert.ok(!isRepeatable('ALTER TABLE t ADD COLUMN b UInt8'));
  });
});
