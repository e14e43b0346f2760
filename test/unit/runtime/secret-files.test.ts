import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationSections } from '../../../cli/configuration.js';
import { allSecrets } from '../../../cli/dev/secrets-by-process.js';
import { readConfig, secretsOf } from '../../../runtime/config.js';
import { clickhouseConfig } from '../../../runtime/clickhouse/config.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('secrets from files', () => {
  const folder = temporaryFolder();
  const fileOf = (text: string): string => {
    const path = join(folder(), 'secret');
    writeFileSync(path, text);
    return path;
  };
  const read = (environment: Record<string, string>) =>
    readConfig(clickhouseConfig, environment).CLICKHOUSE_WRITER_PASSWORD;

  it('are what the file holds, without the end of its last line', () => {
    assert.equal(read({ CLICKHOUSE_WRITER_PASSWORD_FILE: fileOf(' p=w \n') }), ' p=w ');
    assert.equal(read({ CLICKHOUSE_WRITER_PASSWORD_FILE: fileOf('pw') }), 'pw');
    assert.equal(read({ CLICKHOUSE_WRITER_PASSWORD_FILE: '', CLICKHOUSE_WRITER_PASSWORD: 'v' }), 'v');
  });

  it('are refused, naming the variable, if the file is missing or empty, or a value is set as well', () => {
    const refused = (environment: Record<string, string>, why: RegExp): void => {
      assert.throws(() => read(environment), why);
    };
    refused(
      { CLICKHOUSE_WRITER_PASSWORD_FILE: '/nowhere' },
      /CLICKHOUSE_WRITER_PASSWORD_FILE: cannot be read/,
    );
    refused({ CLICKHOUSE_WRITER_PASSWORD_FILE: fileOf('\n') }, /is empty/);
    refused(
      { CLICKHOUSE_WRITER_PASSWORD_FILE: fileOf('a'), CLICKHOUSE_WRITER_PASSWORD: 'b' },
      /CLICKHOUSE_WRITER_PASSWORD is set too/,
    );
  });

  it('are possible for every secret there is', () => {
    const marked = new Set(configurationSections.flatMap(({ section }) => secretsOf(section)));
    assert.deepEqual(
      [...allSecrets].filter((name) => !marked.has(name)),
      [],
    );
  });
});
