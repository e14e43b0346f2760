import assert from 'node:assert/strict';
import { url } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/url.js';
import { found } from './found.js';

describe('the recognizer url', () => {
  it('takes a scheme', () => {
    assert.deepEqual(found(url, 'see https://example.org/a(b)?c=d#e, ok'), [
      ['https://example.org/a(b)?c=d#e', 0.6],
    ]);
  });

  it('closes before a bracket', () => {
    assert.deepEqual(found(url, '(http://example.org/a).'), [['http://example.org/a', 0.6]]);
  });

  it('takes www', () => {
    assert.deepEqual(found(url, 'www.example.dev'), [['www.example.dev', 0.5]]);
  });

  it('takes a bare name', () => {
    assert.deepEqual(found(url, 'on example.com today'), [['example.com', 0.5]]);
  });

  it('takes a deeper suffix', () => {
    assert.deepEqual(found(url, 'shop.co.il'), [['shop.co.il', 0.5]]);
  });

  it('takes an unusual suffix with a path', () => {
    assert.deepEqual(found(url, 'example.me/page'), [['example.me/page', 0.5]]);
  });

  it('is more certain after a word that suggests an address', () => {
    assert.deepEqual(found(url, 'my website is example.com'), [['example.com', 0.85]]);
  });

  it("refuses an address's host", () => {
    assert.deepEqual(found(url, 'jane@example.com'), []);
  });

  it('refuses code', () => {
    assert.deepEqual(found(url, 'model.fit(x); self.net; System.out.println; os.name; a.id'), []);
  });

  it("refuses a member's name as a call's argument, and takes a name in brackets", () => {
    for (const code of ['print(df.info)', 'café(df.info)', 'vec4(pos.xyz)', 'zeros(np.int)', 'f(user.name)'])
      assert.deepEqual(found(url, code), [], code);
    assert.deepEqual(found(url, 'our shop (example.com)'), [['example.com', 0.5]]);
  });

  it('takes an address after a bracket without a space if it can be nothing else', () => {
    const addresses = [
      ['siehe(www.example.com)', 'www.example.com'],
      ['place1(www.example.info)', 'www.example.info'],
      ['fetch(example.info/path)', 'example.info/path'],
      ['See Wikipedia(en.example.org)', 'en.example.org'],
      ['Kontakt(example.de)', 'example.de'],
      ['café(example.com)', 'example.com'],
    ] as const;
    for (const [text, address] of addresses) assert.deepEqual(found(url, text), [[address, 0.5]], text);
  });

  it('takes both addresses of a Markdown link, each alone', () => {
    assert.deepEqual(found(url, '[https://example.org/a](https://example.org/b)'), [
      ['https://example.org/a', 0.6],
      ['https://example.org/b', 0.6],
    ]);
  });

  it('refuses a sentence without its space', () => {
    assert.deepEqual(found(url, 'the end.The next is.It'), []);
  });

  it('refuses file names', () => {
    assert.deepEqual(found(url, 'run build.sh, read notes.md and main.py'), []);
  });

  it('refuses a suffix alone', () => {
    assert.deepEqual(found(url, 'www.com'), []);
  });

  it('takes an address with a user name and a password', () => {
    assert.deepEqual(found(url, 'https://me:pw@example.org/x'), [['https://me:pw@example.org/x', 0.6]]);
  });

  it('takes capitals throughout', () => {
    assert.deepEqual(found(url, 'EXAMPLE.COM but not ASP.NET'), [['EXAMPLE.COM', 0.5]]);
  });
});
