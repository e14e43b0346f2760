import assert from 'node:assert/strict';
import { allRules } from '../../../../../agent/slowlogs/scrub/rules/all.js';
import { viewOf, type View } from '../../../../../agent/slowlogs/scrub/view.js';
import { leastOf, processorMs } from '../../../../support/processor-time.js';
import { nastyUnits } from './nasty-units.js';

const length = 500_000;
const plainText = 'password=hunter2 '.repeat(length / 17);

/** What one pass over a text costs at least: machines differ, but rules do not beside it. Of one pass a clock says little. */
const passMs = (): number =>
  processorMs(() => {
    for (let pass = 0; pass < 20; pass += 1) plainText.replace(/\w+/g, 'x');
  }) / 20;

/**
 * What a rule may cost on its worst text, in such passes: some three times what the slowest costs there, as V8 compiles a
 * rule better or worse by what else the process ran. What grows faster than its text costs thousands.
 */
const passesAtMost = 26;

interface Costly {
  readonly name: string;
  find(view: View): unknown;
}

/** What rules share of a text is read by the first of them that asks. */
const shared: readonly Costly[] = [
  { name: 'fields of JSON', find: (view) => view.fields() },
  { name: 'strings of JSON', find: (view) => view.tokens() },
];

describe('a rule of scrubbing', () => {
  const usualPassMs = leastOf(5, 0, passMs);

  const read = (text: string): View => {
    const view = viewOf(text);
    view.fields();
    view.tokens();
    return view;
  };

  for (const rule of [...allRules, ...shared]) {
    const viewFor = shared.includes(rule) ? viewOf : read;
    it(`costs at most ${passesAtMost} passes over a text, be it as nasty as it may: ${rule.name}`, () => {
      const costOn = (view: View): number => processorMs(() => void rule.find(view));
      for (const unit of nastyUnits) {
        const text = unit.repeat(Math.ceil(length / unit.length));
        if (costOn(viewOf(text)) < passesAtMost * usualPassMs) continue;
        const passes = leastOf(8, passesAtMost, () => costOn(viewFor(text)) / passMs());
        assert.ok(passes < passesAtMost, `${JSON.stringify(unit)}: ${passes.toFixed(0)} passes`);
      }
    });
  }
});
