import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;

describe('a text in the form of a random key', () => {
  it('goes if it looks random', () => {
    for (const text of [
      'key8fK2pQ7xN4vT9b',
      '61a7f2c09e1b3d5f7a9c0e2d:c7xe1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f'.replace(
        'x',
        'a',
      ),
      '1234567890123456-Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0KlZx1Cv3Bn',
      'MAZK3QW9XE7RT5YU1IO8',
      'oauth:zk3qw9xe7rt5yu1io8pa2sd4fg6hj0',
      'da2-zk3qw9xe7rt5yu1io8pa2sd4fg',
    ])
      assert.doesNotMatch(scrubbed(`{"note":"see ${text} there"}`), /7xN4|7[Xx][Ee]/i, text);
  });

  it('stays if it reads as words, numbers or the start of the alphabet', () => {
    for (const text of [
      'keyboardLayout123',
      `${'0'.repeat(24)}:${'0'.repeat(64)}`,
      '12345-7d444840-9dc0-11d1-b245-5ffdce74fad2',
      'keyValueStore2026',
      '20260102030405123-thisIsALongNameOfSomethingThatGoesOnAbout',
      'MANUFACTURER12345678',
      'oauth:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      'da2-abcdefghijklmnopqrstuvwxyz',
    ])
      assert.equal(scrubbed(`{"note":"see ${text} there"}`), `{"note":"see ${text} there"}`);
  });
});

describe('a value under the name of a service', () => {
  it('goes if it looks like a key', () => {
    for (const value of [
      'zk3qw9-xe7_rt5yu1io8pa',
      'zk3qw9xe7rt5yu1',
      '734829104562738491',
      'a1b2c3d4e5f60718293a',
    ])
      assert.doesNotMatch(scrubbed(`dropbox = "${value}", then`), new RegExp(value.slice(4, 12)), value);
  });

  it('stays if its name says that it is an id or a time', () => {
    for (const text of [
      '{"twitter.status_id":"1234567890123456789"}',
      '{"term":{"github_run_id":"734829104562738491"}}',
      '{"stripeCustomerId":"734829104562738491"}',
      '{"stripe_created":"1763708898123456"}',
    ])
      assert.equal(scrubbed(text), text);
    assert.equal(scrubbed('stripe="734829104562738491"'), 'stripe="[redacted]"');
  });

  it('stays if it is a name, a date, a version or only zeros', () => {
    for (const value of [
      'checkout-service-v2-production',
      '2026-01-02T03-04-05Z',
      'release2026',
      '000000000000000000',
    ])
      assert.equal(scrubbed(`dropbox = "${value}", then`), `dropbox = "${value}", then`);
  });
});
