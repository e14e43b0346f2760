import { recognizers } from '../../../../../processors/score-metrics/metrics/pii/recognizers/all.js';
import { worstTexts } from '../../../../support/pii-worst-cases.js';
import { assertLinearTime } from '../../../../support/processor-time.js';

/** `npm test` runs all recognizers at once; this names the slow one. */
describe('each kind of personal data in 100,000 characters', () => {
  for (const [name, text] of worstTexts)
    for (const { entity, find } of recognizers)
      it(`${entity} takes linear time over ${name}`, () => {
        assertLinearTime(text + '!', find);
      });
});
