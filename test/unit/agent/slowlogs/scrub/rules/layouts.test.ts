import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const random = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';

describe('a value that gets its name only from its position', () => {
  it('goes from the entries of a manifest', () => {
    for (const text of [
      '- name: ACME_TOKEN\n  value: hunter2',
      '- name: "ACME_TOKEN"\n  value: "hunter2"\n',
      '- name: ACME_TOKEN\n  value: "a horse, hunter2"\n',
      '- name: ACME_TOKEN\n  value: horse,hunter2\n',
      '- name: ACME_TOKEN\n  value: |\n    horse\n\n    hunter2\n- name: REGION',
    ]) {
      assert.doesNotMatch(scrubbed(text), /hunter2/);
      assert.doesNotMatch(scrubbed(JSON.stringify({ q: text })), /hunter2/);
    }
    const kept = '- name: REGION\n  value: hunter2';
    assert.equal(scrubbed(kept), kept);
  });

  it('goes from the parts of a form', () => {
    const form = (lines: readonly string[], lineBreak: string): string =>
      ['Content-Type: multipart/form-data; boundary=ab', '', '--ab', ...lines, '--ab--', ''].join(lineBreak);
    const part = (name: string, value: string): readonly string[] => [
      `Content-Disposition: form-data; name=${name}`,
      'Content-Type: text/plain; charset=UTF-8',
      '',
      value,
    ];
    for (const name of ['"password"', '"user[password]"', 'api_key'])
      for (const lineBreak of ['\r\n', '\n'])
        for (const lines of [part(name, 'sunshine 9'), part(name, 'sunshine 9').toSpliced(1, 1)])
          for (const around of [String, (text: string) => JSON.stringify({ body: text })]) {
            const before = around(form([...lines, '--ab', ...part('"title"', 'harbour')], lineBreak));
            assert.equal(scrubbed(before), before.replace('sunshine 9', '[redacted]'));
          }
    for (const lines of [
      part('"title"', 'harbour'),
      part('"password"', ''),
      ['name="password"', '', 'harbour'],
    ])
      assert.equal(scrubbed(form(lines, '\n')), form(lines, '\n'));
  });

  it('goes from the next cell or line if it looks random', () => {
    for (const between of [',', '","', ' | ', ':\n  ']) {
      assert.ok(!scrubbed(`"acme_token${between}${random}" and more`).includes('Zk3Q'), between);
      assert.ok(scrubbed(`"acme_token${between}a_name_of_3_words" and more`).includes('a_name'), between);
      assert.ok(scrubbed(`"acme_region${between}${random}" and more`).includes(random), between);
    }
  });
});
