import { recognizeAsReference } from '../../../../../../processors/score-metrics/metrics/pii/reference/recognize.js';
import { recognizePii } from '../../../../../../processors/score-metrics/metrics/pii/recognize.js';
import { worstTexts } from '../../../../../support/pii-worst-cases.js';
import { assertLinearTime } from '../../../../../support/processor-time.js';

describe('personal data in 100,000 characters', () => {
  for (const [name, text] of worstTexts) {
    it(`the reference's mode takes linear time over ${name}`, () => {
      assertLinearTime(text, recognizeAsReference);
    });

    it(`all of them take linear time over ${name}`, () => {
      assertLinearTime(text, recognizePii);
    });
  }
});
