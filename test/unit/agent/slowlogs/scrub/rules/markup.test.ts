import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;

/** Asserts what is left of a document in each surrounding that it can have. */
function assertLeft(document: string, left: string): void {
  for (const around of [
    (text: string) => text,
    (text: string) => JSON.stringify({ query: { match: { message: text } }, size: 10 }),
    (text: string) => JSON.stringify({ body: JSON.stringify({ soap: text }) }),
    (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ]) {
    const once = scrubbed(around(document));
    assert.equal(once, around(left));
    assert.equal(scrubbed(once), once);
  }
}

describe('a value in markup', () => {
  it('goes if its element names it, also from a CDATA section', () => {
    assertLeft('<a><password>hunter</password></a>', '<a><password>[redacted]</password></a>');
    assertLeft(
      '<title><![CDATA[a<b]]></title><password><![CDATA[x]]></password>',
      '<title><![CDATA[a<b]]></title><password><![CDATA[[redacted]]]></password>',
    );
    assertLeft(
      '<password>\n<![CDATA[a <b> c]]>\n</password>',
      '<password>\n<![CDATA[[redacted]]]>\n</password>',
    );
  });

  it('goes if the element before it contains its name', () => {
    for (const [before, behind] of [
      ['<property>\n  <name>fs.s3a.secret.key</name>\n  <value>', '</value>\n</property>'],
      ['<member><name>password</name><value><string>', '</string></value></member>'],
      ['<dict><key>apiToken</key><string>', '</string><key>a</key><string>b</string></dict>'],
    ] as const)
      assertLeft(`${before}sunshine 9${behind}`, `${before}[redacted]${behind}`);
    for (const text of [
      '<property><name>fs.defaultFS</name><value>hdfs://nn</value></property>',
      '<column><name>password</name><type>keyword</type></column>',
      '<key>password</key><key>title</key><string>harbour</string>',
      '<name>password</name> is the field of <b>a user</b>',
      '<name>password</name><value></value><value>harbour</value>',
    ])
      assertLeft(text, text);
  });
});
