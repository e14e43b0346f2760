import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { hostileValue, randomSecret } from './hostile-texts.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('what a credential is used with', () => {
  it('goes with it: the user, the app id and the mail address', () => {
    for (const text of [
      'user=bobby-tables;password=hunter2',
      'Server=db;User Id=bobby-tables;Pwd=hunter2;',
      'jdbc:sqlserver://db:1433;user=bobby-tables;password=hunter2',
      'username: "bobby-tables"\npassword: "hunter2"',
      "$cfg['db_user'] = 'bobby-tables'; $cfg['db_pass'] = 'hunter2';",
      '<username>bobby-tables</username><password>hunter2</password>',
      '{"dbUser":"bobby-tables","dbPassword":"hunter2"}',
      '{"user.name":"bobby-tables","password":"hunter2"}',
      "curl -H 'X-Api-Key: hunter2hunter2' -F from='Bob <bobby-tables@example.org>' https://example.org/a",
      'JIRA_EMAIL=bobby-tables@example.org JIRA_API_TOKEN=hunter2',
      'GET /a?login=bobby-tables&token=hunter2',
      'app id = bobby-tables-4711, secret = hunter2',
      'machine db.example.org login bobby-tables password hunter2',
    ]) {
      for (const embedded of [text, JSON.stringify({ q: text }), escaped(JSON.stringify({ q: text }))])
        assert.doesNotMatch(scrubbed(embedded), /bobby|tables|hunter2/, scrubbed(embedded));
    }
  });

  it('stays if there is no credential next to it', () => {
    for (const text of [
      '{"query":{"bool":{"filter":[{"term":{"user":"bobby-tables"}},{"term":{"client_id":"tables-4711"}}]}}}',
      'user=bobby-tables and mail from bobby-tables@example.org, id=tables-4711',
      `password=hunter2 ${'and much else, '.repeat(60)} user=bobby-tables`,
    ])
      assert.ok(scrubbed(text).includes('tables'), scrubbed(text));
  });

  it('does not include an id of what is searched for, or the name of a variable', () => {
    for (const kept of ['"trace_id":"4bf92f3577b34da6"', '"orderId":"order-4711"', '"_id":"order-4711"'])
      assert.ok(scrubbed(`{${kept},"password":"hunter2"}`).includes(kept), kept);
    assert.equal(
      scrubbed('user=$DB_USER password=hunter2 user=null'),
      'user=$DB_USER password=[redacted] user=null',
    );
  });

  it('includes a random word right after it', () => {
    const word = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';
    for (const text of [
      `token = 'hunter2' | '${word}'`,
      `pass 'hunter2' ${word}=`,
      `password: hunter2, ${word}`,
    ])
      assert.ok(!scrubbed(text).includes('Zk3Q'), scrubbed(text));
    assert.ok(scrubbed(`password: hunter2 for the whole time that ${word} runs`).includes(word));
  });

  it('goes wherever both stand', () => {
    fc.assert(
      fc.property(hostileValue, randomSecret, hostileValue, (left, secret, right) => {
        const planted = { username: `bob-${secret.slice(0, 8)}`, password: secret };
        const text = scrubbed(JSON.stringify([left, { deep: planted }, right]));
        assert.ok(!text.includes(planted.username), text);
      }),
    );
  });

  it('is replaced only once, even if the credential was not a string', () => {
    const once = scrubbed('[{"password":"a"},"\\"username\\":."]');
    assert.equal(scrubbed(once), once);
  });
});
