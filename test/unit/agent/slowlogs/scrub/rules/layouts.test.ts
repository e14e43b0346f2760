import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const random = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';

describe('a value that only its place gives a name', () => {
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

  it('goes from the next cell or line where it looks random', () => {
    for (const between of [',', '","', ' | ', ':\n  ']) {
      assert.ok(!scrubbed(`"acme_token${between}${random}" and more`).includes('Zk3Q'), between);
      assert.ok(scrubbed(`"acme_token${between}a_name_of_3_words" and more`).includes('a_name'), between);
      assert.ok(scrubbed(`"acme_region${between}${random}" and more`).includes(random), between);
    }
  });
});
