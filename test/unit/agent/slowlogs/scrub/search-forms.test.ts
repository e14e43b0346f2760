import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { casesOf, groups, ordinary, survives, type Case, type Group } from './search-matrix.js';
import { runs } from '../../../../support/properties.js';

/** One in this many cases is tried; in long runs, each one. */
const step = runs(1) > 1 ? 1 : 64;

function* tried(group: Group): Iterable<Case> {
  let next = process.env['PROPERTY_SEED'] === 'random' ? Math.floor(Math.random() * step) : 0;
  for (const one of casesOf(group)) {
    if (next % step === 0) yield one;
    next += 1;
  }
}

const shown = ({ kind, embedding, text }: Case): string => `${kind}, ${embedding}: ${text}`;

describe('what a search looks for', function () {
  this.timeout(600_000);

  for (const [name, group] of Object.entries(groups))
    it(`is gone under ${name}, however the search names its field, wherever it stands and is cut off`, () => {
      let count = 0;
      const left: string[] = [];
      for (const one of tried(group)) {
        assert.ok(one.text.includes(one.gone), shown(one));
        count += 1;
        if (survives(one)) left.push(shown(one));
      }
      assert.ok(count > 250);
      assert.deepEqual(left.slice(0, 20), [], `${left.length} of ${count}`);
    });

  it('stays in fields that say nothing of anybody', () => {
    for (const one of tried(ordinary)) {
      if (one.embedding.includes('cut off')) continue;
      assert.equal(scrubText(one.text).text, one.text, shown(one));
    }
  });

  it('leaves JSON sound, and nothing more to scrub', () => {
    for (const group of Object.values(groups))
      for (const one of tried(group)) {
        const once = scrubText(one.text).text;
        assert.equal(scrubText(once).text, once, shown(one));
        if (
          /^(?:plain|on several lines|in a string [A-Za-z .]+|as a [a-z_]+)$/.test(one.embedding) &&
          /^[{[]/.test(one.text)
        )
          assert.doesNotThrow(() => JSON.parse(once) as unknown, `${shown(one)}\n${once}`);
      }
  });
});
