import assert from 'node:assert/strict';
import { analystsConfig } from '../../../cli/analysts-config.js';
import { readConfig } from '../../../runtime/config.js';
import { TelltaleError } from '../../../runtime/errors.js';
import { analystAccount, workspaceAnalystsXml } from '../../../stack/clickhouse/workspace-analysts.js';

const analyst = (workspace: string) => ({ workspace, password: `password of ${workspace}` });
const xmlOf = (...workspaces: string[]): string => workspaceAnalystsXml(workspaces.map(analyst), ['::1']);
const isInvalid = (error: unknown): boolean =>
  error instanceof TelltaleError && error.code === 'CONFIG_INVALID';

describe('the users file of workspace analysts', () => {
  it('filters every table that it grants by the workspace', () => {
    const xml = xmlOf('acme');
    const granted = [...xml.matchAll(/GRANT SELECT ON telltale\.(\w+)/g)].map(([, name = '']) => name);
    const filtered = [...xml.matchAll(/<(\w+)><filter>workspace = 'acme'<\/filter>/g)].map(
      ([, name]) => name,
    );
    const views = ['events_by_minute', 'scoring_results', 'slow_operation_entries'];
    assert.deepEqual(
      filtered,
      granted.filter((name) => !views.includes(name)),
    );
    assert.ok(filtered.includes('scoring_result_versions'));
  });

  it('holds no password in clear', () => {
    assert.ok(!xmlOf('acme').includes('password of'));
  });

  it('names no user with a dot: ClickHouse would drop the filters of that user', () => {
    assert.equal(analystAccount(analyst('a.b')).user, 'analyst_a_b');
    assert.match(xmlOf('a.b'), /<filter>workspace = 'a\.b'</);
  });

  it('is refused if two workspaces would share a user', () => {
    assert.throws(() => xmlOf('a.b', 'a_b'), isInvalid);
  });

  it("is refused for a name that can't be a workspace", () => {
    for (const workspace of ['', "a' OR 1", '<x>', 'a b']) assert.throws(() => xmlOf(workspace), isInvalid);
  });
});

describe('CLICKHOUSE_ANALYSTS', () => {
  const read = (text: string) =>
    readConfig(analystsConfig, { CLICKHOUSE_ANALYSTS: text }).CLICKHOUSE_ANALYSTS;

  it('is a JSON object of passwords by workspace', () => {
    assert.deepEqual(read('{"acme": "123456789012"}'), [{ workspace: 'acme', password: '123456789012' }]);
  });

  it('is refused if it is something else, or a password is too short', () => {
    for (const text of ['acme', '[]', '{"acme": 1}', '{"acme": "short"}'])
      assert.throws(() => read(text), isInvalid, text);
  });
});
