import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('a password that only its position marks', () => {
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
      '> PASS hunter\r\n',
      'PASS hunter.two',
      'ftpd got PASS hunter2 from it',
      'a1 LOGIN bobby hunter2',
      'db.example.org:5432:shop:bobby:hunter2',
      `mysql -p${'x'.repeat(120)}hunter2 shop`,
      '# passwords\n*:*:*:bobby:hunter2\n',
    ])
      assert.doesNotMatch(scrubbed(text), /hunter/, scrubbed(text));
  });

  it('does not follow the PASS of a test', () => {
    for (const text of ['PASS rate 98%', 'PASS src/login.test.ts', 'PASS 12 of 14', 'all PASS in 3 s'])
      assert.equal(scrubbed(text), text);
  });

  it('goes from SQL that sets it, in quotation marks of any kind or in none', () => {
    for (const [text, left] of [
      ["CREATE USER bob@'%' IDENTIFIED BY 'hunter2' a", "CREATE USER bob@'%' IDENTIFIED BY '[redacted]' a"],
      ['create user bob identified by "hunter2" a', 'create user bob identified by "[redacted]" a'],
      ['ALTER USER bob IDENTIFIED BY hunter2;', 'ALTER USER bob IDENTIFIED BY [redacted];'],
      [
        "GRANT ALL ON *.* TO 'a'@'b' IDENTIFIED BY \"hunter2\"",
        "GRANT ALL ON *.* TO 'a'@'b' IDENTIFIED BY \"[redacted]\"",
      ],
      ["ALTER USER bob IDENTIFIED BY VALUES 'S:hunter2'", "ALTER USER bob IDENTIFIED BY VALUES '[redacted]'"],
    ] as const) {
      assert.equal(scrubbed(text), left);
      assert.equal(scrubbed(JSON.stringify({ q: text })), JSON.stringify({ q: left }));
    }
    for (const text of [
      'a user account identified by email',
      'each user is identified by "id", not by name',
      'ALTER USER bob IDENTIFIED BY RANDOM PASSWORD',
      '{"a":"identified by ","b":"title"}',
    ])
      assert.equal(scrubbed(text), text);
  });

  it('goes from commands of Windows', () => {
    for (const [text, left] of [
      ['net user bob hunter2 /add', 'net user bob [redacted]'],
      ['net.exe user bob P@ss', 'net.exe user bob [redacted]'],
      [
        "$a = ConvertTo-SecureString 'hunter2' -AsPlainText -Force",
        "$a = ConvertTo-SecureString '[redacted]' -AsPlainText -Force",
      ],
      [
        'ConvertTo-SecureString -AsPlainText -String "hunter2"',
        'ConvertTo-SecureString -AsPlainText -String "[redacted]"',
      ],
      ['convertto-securestring hunter2 -asplaintext', 'convertto-securestring [redacted] -asplaintext'],
      [
        "'hunter2' | ConvertTo-SecureString -AsPlainText",
        "'[redacted]' | ConvertTo-SecureString -AsPlainText",
      ],
    ] as const) {
      assert.equal(scrubbed(text), left);
      assert.equal(scrubbed(JSON.stringify({ q: text })), JSON.stringify({ q: left }));
    }
    for (const text of [
      'net user /domain',
      'net user bob /active:no',
      'net user growth was 5% higher',
      'it was the net user growth that counts',
      'ConvertTo-SecureString $plain -AsPlainText',
      'ConvertTo-SecureString "$plain" -AsPlainText',
      'Get-Content a | ConvertTo-SecureString',
    ])
      assert.equal(scrubbed(text), text);
  });

  it('goes with the rest of its command if it is among other words', () => {
    for (const text of [
      'net use z: \\\\nas\\share hunter2 /user:SHOP\\bobby',
      'net use z: \\\\nas\\share /user:SHOP\\nick hunter2 bobby',
      'net use z: \\\\nas\\share "hunter2 bobby" /user:nick',
      'net use z: /user:bobby',
      'net use \\\\nas\\share hunter2 /user:SHOP\\bobby',
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

  it('is not seen where no call or command takes a password', () => {
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
