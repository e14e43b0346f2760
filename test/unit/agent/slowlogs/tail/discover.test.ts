import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { discoverLogs, type WhereToLook } from '../../../../../agent/slowlogs/tail/discover.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';

describe('discovering slow logs', () => {
  const folder = temporaryFolder();
  const logs = (): string => `${folder()}/logs`;
  beforeEach(() => mkdirSync(logs()));
  async function discover(changes: Partial<WhereToLook> = {}) {
    const places = { searchLogPath: '', indexingLogPath: '', logDirectories: [logs()], clusterName: 'shop' };
    const { files, diagnostics } = await discoverLogs({ ...places, ...changes });
    return { names: files.map(({ path }) => basename(path)).toSorted(), diagnostics };
  }
  const write = (...names: readonly string[]): void => {
    for (const name of names) writeFileSync(`${logs()}/${name}`, 'x\n');
  };

  it('finds the log of each kind that no path names', async () => {
    write('named.json', 'shop_index_search_slowlog.json', 'shop_index_indexing_slowlog.json');
    const { names, diagnostics } = await discover({ searchLogPath: `${logs()}/named.json` });
    assert.deepEqual(names, ['named.json', 'shop_index_indexing_slowlog.json']);
    assert.deepEqual(diagnostics, []);
    const paths = { searchLogPath: `${logs()}/named.json`, indexingLogPath: `${logs()}/named.json` };
    assert.deepEqual((await discover(paths)).names, ['named.json']);
  });

  it('knows the usual names of rotated logs, and says which it cannot read', async () => {
    const search = 'shop_index_search_slowlog';
    const wanted = ['', '-1', '-2026-11-21-3', '_20261121'].map((turn) => `${search}${turn}.json`);
    wanted.push(`${search}.json.1`, `${search}.json-2026-11-21_05.gz`, `${search}.json.2026-11-21_05.gz`);
    wanted.push(`${search}.json.old`);
    write(...wanted, `${search}.json.1.zst`, `${search}-2.json.bz2`, `${search}x.json`, 'other.zst');
    const { names, diagnostics } = await discover();
    assert.deepEqual(names, wanted.toSorted());
    assert.match(diagnostics.join(), /^2 rotated logs like .*slowlog.* are skipped: .* gzip/);
  });

  it('says if the text log continues while the JSON log that is read instead is older', async () => {
    write('shop_index_search_slowlog.json', 'shop_index_search_slowlog.log');
    const { names, diagnostics } = await discover();
    assert.deepEqual([names, diagnostics], [['shop_index_search_slowlog.json'], []]);
    utimesSync(`${logs()}/shop_index_search_slowlog.json`, 1, 1);
    assert.match(
      (await discover()).diagnostics.join(),
      /slowlog\.log is not read, .* which is older: remove the JSON file/,
    );
  });

  it('reads `*` in a path as any part of one name', async () => {
    for (const pod of ['elastic_es-0_1a', 'elastic_es-1_2b', 'kibana_es-0_3c']) {
      mkdirSync(`${logs()}/${pod}/elasticsearch`, { recursive: true });
      for (const name of ['0.log', '0.log.20261121-070818.gz', '1.log', 'x.txt'])
        writeFileSync(`${logs()}/${pod}/elasticsearch/${name}`, 'x\n');
    }
    const named = (path: string) => discover({ searchLogPath: path, indexingLogPath: path });
    const names = ['0.log', '0.log.20261121-070818.gz', '1.log'];
    assert.deepEqual(await named(`${logs()}/elastic_*-0_*/elasticsearch/*.log`), { names, diagnostics: [] });
    const both = (await named(`${logs()}/elastic_*/elasticsearch/0.log`)).names;
    assert.deepEqual(both, ['0.log', '0.log', '0.log.20261121-070818.gz', '0.log.20261121-070818.gz']);
    const { diagnostics } = await named(`${logs()}/elastic_*/other/*.log`);
    assert.match(diagnostics.join(), /^there is no slow log at .*elastic_\*\/other\/\*\.log,/);
  });

  it('says if a log directory is not a directory', async () => {
    write('file');
    assert.match(
      (await discover({ logDirectories: [`${logs()}/file`] })).diagnostics[0] ?? '',
      /file is not a directory$/,
    );
  });
});
