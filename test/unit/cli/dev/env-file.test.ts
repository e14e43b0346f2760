import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatEnv, parseEnv, readEnvFile, writeEnvFile } from '../../../../cli/dev/env-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('dev.env', () => {
  const folder = temporaryFolder();
  const oneLine = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !/[\n\r\u2028\u2029]/.test(text) && text === text.trim());

  it('reads back every value that it wrote', () => {
    const variables = fc.dictionary(fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/), oneLine, {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(variables, (written) => {
        assert.deepEqual(parseEnv(formatEnv(written, 'a comment')), written);
      }),
    );
  });

  it('can be sourced by a shell, whatever a password holds', () => {
    const path = join(folder(), 'dev.env');
    const password = `a'b"c $HOME \`id\` \\ #`;
    writeEnvFile(path, { CLICKHOUSE_PASSWORD: password }, 'a comment');
    const seen = execFileSync('/bin/sh', ['-c', `. "${path}"; printf %s "$CLICKHOUSE_PASSWORD"`], {
      encoding: 'utf8',
    });
    assert.equal(seen, password);
  });

  it('is readable by its owner only, even if the file was open to others before', () => {
    const path = join(folder(), 'dev.env');
    writeFileSync(path, '', { mode: 0o644 });
    writeEnvFile(path, { A: '1' }, 'a comment');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('has no variables if there is no file', () => {
    assert.deepEqual(readEnvFile(join(folder(), 'nothing')), {});
  });
});
