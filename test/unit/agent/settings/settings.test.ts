import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, openSettings, type Settings } from '../../../../agent/settings/open-settings.js';
import { keyInFile, readSettings } from '../../../../agent/settings/read-settings.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const read = (
  text: string | undefined,
  environment: Record<string, string> = {},
): ReturnType<typeof readSettings> => readSettings(environment, { path: 'agent.json', text });

describe('the agent’s settings', () => {
  const folder = temporaryFolder();

  it('come from the file under their names in camelCase, and variables win', () => {
    assert.equal(keyInFile('AGENT_SERVER_URL'), 'serverUrl');
    const found = read('{"serverUrl":"https://a.example","port":4000}', {
      AGENT_PORT: '5000',
      AGENT_HOST: '',
    });
    assert.ok(found.kind === 'settings');
    assert.equal(found.config.AGENT_SERVER_URL, 'https://a.example');
    assert.equal(found.config.AGENT_PORT, 5_000);
    assert.equal(found.config.AGENT_HOST, '127.0.0.1');
  });

  it('say everything that is wrong at once, each with its place, and quote no secret', () => {
    const found = read('{"serverUrl":"ftp://a","apiKey":["tt_id_secret"],"prot":1}', {
      AGENT_SPOOL_BYTES: '-1',
    });
    assert.ok(found.kind === 'problems');
    const locations = found.problems.map((line) => line.split(': ').slice(0, 2).join(': ')).sort();
    assert.deepEqual(locations, [
      'AGENT_SPOOL_BYTES: Too small',
      'agent.json: /apiKey',
      'agent.json: /prot',
      'agent.json: /serverUrl',
    ]);
    assert.ok(!found.problems.join('\n').includes('tt_id_secret'));
  });

  it('take a list as an array in the file, and with commas as a variable; origins as browsers send them', () => {
    const shop = 'https://shop.example.com';
    const inFile = read(JSON.stringify({ allowedOrigins: [shop], allowedHosts: ['Agent.internal'] }));
    assert.ok(inFile.kind === 'settings');
    assert.deepEqual(inFile.config.AGENT_ALLOWED_ORIGINS, [shop]);
    assert.deepEqual(inFile.config.AGENT_ALLOWED_HOSTS, ['agent.internal']);
    const variable = read(undefined, { AGENT_ALLOWED_ORIGINS: `${shop}, http://localhost:3000` });
    assert.ok(variable.kind === 'settings');
    assert.deepEqual(variable.config.AGENT_ALLOWED_ORIGINS, [shop, 'http://localhost:3000']);
    for (const wrong of ['*', 'null', 'shop.example.com', `${shop}/`])
      assert.equal(read(undefined, { AGENT_ALLOWED_ORIGINS: wrong }).kind, 'problems', wrong);
    assert.equal(read(JSON.stringify({ serverUrl: [shop] })).kind, 'problems');
  });

  it('allow no secret in the address of the server, because logs contain it', () => {
    for (const serverUrl of ['https://user:hunter2@a.example', 'https://a.example/?key=hunter2']) {
      const found = read(JSON.stringify({ serverUrl }));
      assert.ok(found.kind === 'problems');
      assert.match(found.problems.join(), /^agent\.json: \/serverUrl: must have no user, password or query/);
      assert.ok(!found.problems.join().includes('hunter2'));
    }
  });

  it('are refused with line and column if the file is not valid JSON', () => {
    const found = read('{\n  "apiKey": "tt_id_secret"\n  "port": 1 }');
    assert.ok(found.kind === 'problems');
    assert.match(found.problems[0] ?? '', /agent\.json: is not valid JSON: look at line 3, column 3/);
    assert.ok(!found.problems.join('\n').includes('secret'));
  });

  it('need no file, unless one was named', async () => {
    assert.equal((await loadSettings({})).AGENT_PORT, 3_774);
    await assert.rejects(loadSettings({ AGENT_CONFIG_FILE: join(folder(), 'nowhere.json') }), {
      code: 'CONFIG_INVALID',
    });
  });

  describe('while it runs', () => {
    let settings: Settings;
    afterEach(() => settings.stop());
    const path = (): string => join(folder(), 'agent.json');
    const write = (text: string): void => {
      writeFileSync(`${path()}.new`, text); // as editors and deployments do: a new file under the same name
      renameSync(`${path()}.new`, path());
    };
    const problems = (): readonly string[] => (settings.status() as { problems: readonly string[] }).problems;

    it('follow the file, but keep the old values and say so if the new ones are wrong', async () => {
      write('{"apiKey":"one"}');
      settings = await openSettings({ AGENT_CONFIG_FILE: path() }, silentLogger);
      const key = (): string => settings.config.current().AGENT_API_KEY;
      assert.equal(key(), 'one');
      let heard = '';
      settings.config.onChange((config) => (heard = config.AGENT_API_KEY));
      write('{"apiKey":"two"}');
      await until('the new settings are taken', () => key() === 'two');
      assert.equal(heard, 'two');
      write('{"apiKey":"three",}');
      await until('what is wrong is said', () => problems().length === 1);
      assert.equal(key(), 'two');
      rmSync(path());
      await until('the file is missed', () => problems()[0]?.includes('there is no file') === true);
      assert.equal(key(), 'two');
      write('{"apiKey":"four"}');
      await until('the file that is back is taken', () => key() === 'four');
      assert.deepEqual(problems(), []);
    });
  });
});
