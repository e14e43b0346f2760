import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('a password that stands in its place among others', () => {
  it('goes from calls that log in, with the user', () => {
    for (const text of [
      "requests.get(u, auth=HTTPBasicAuth('bobby', 'hunter2'))",
      "server.login('bobby@example.org', 'hunter2')",
      "pymysql.connect('localhost', 'bobby', 'hunter2', 'shop')",
      'DriverManager.getConnection("jdbc:mysql://h/d", "bobby", "hunter2")',
      'new mysqli("localhost", "bobby", "hunter2", "shop")',
      "new PDO('mysql:host=h', 'bobby', 'hunter2')",
      'new NetworkCredential("bobby", "hunter2")',
      'new PasswordAuthentication("bobby", "hunter2".toCharArray())',
    ])
      for (const embedded of [text, JSON.stringify({ q: text }), escaped(JSON.stringify({ q: text }))])
        assert.doesNotMatch(scrubbed(embedded), /bobby|hunter2/, scrubbed(embedded));
  });

  it('goes from commands, lines of protocols and files of passwords', () => {
    for (const text of [
      'ldapsearch -x -D cn=admin -w hunter2 -b dc=example',
      'smbclient //host/share -U bobby%hunter2',
      'net use z: \\\\host\\share /user:bobby hunter2',
      'openssl rsa -in k.pem -passin pass:hunter2',
      'keytool -list -storepass hunter2 -keystore k',
      'htpasswd -b users bobby hunter2',
      'USER bobby\nPASS hunter2\n',
      'a1 LOGIN bobby hunter2',
      'db.example.org:5432:shop:bobby:hunter2',
      `mysql -p${'x'.repeat(120)}hunter2 shop`,
      '# passwords\n*:*:*:bobby:hunter2\n',
    ])
      assert.doesNotMatch(scrubbed(text), /hunter2/, scrubbed(text));
  });

  it('goes with the rest of its command where it stands among other words', () => {
    for (const text of [
      'net use z: \\\\nas\\share hunter2 /user:SHOP\\bobby',
      'net use z: \\\\nas\\share /user:SHOP\\nick hunter2 bobby',
      'net use z: \\\\nas\\share "hunter2 bobby" /user:nick',
      'net use z: /user:bobby',
      'ldapsearch -x -w "hunter2 bobby" -b dc=example',
      "ldapsearch -x -w 'hunter2 bobby' -b dc=example",
      'htpasswd -nb bobby hunter2',
      'htpasswd -c -b users bobby hunter2',
    ])
      for (const embedded of [text, JSON.stringify({ q: text }), escaped(JSON.stringify({ q: text }))]) {
        const once = scrubbed(embedded);
        assert.doesNotMatch(once, /bobby|hunter2/, once);
        assert.equal(scrubbed(once), once);
      }
    assert.match(scrubbed('net use z: \\\\h\\s hunter2 /user:bobby\nnext'), /\]\nnext$/);
    assert.equal(scrubbed('the net use of it'), 'the net use of it');
  });

  it('is none where a call only looks up a name', () => {
    for (const text of [
      'view.login()',
      'connect(host, port)',
      'the auth (see above) is done',
      'a:1:b:c:d and 10:20:30:40:50',
      'es1:9300:node:data:warm',
    ])
      assert.equal(scrubbed(text), text);
  });
});
