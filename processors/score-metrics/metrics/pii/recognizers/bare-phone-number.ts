import { isRoundNumber } from '../checks/round-number.js';
import type { PiiSpan, Recognizer } from '../entities.js';
import { isPlannedNumber, phoneContext } from './phone-number.js';

/** Seven to twelve digits in one piece: no separator, no decimal, no currency. */
const runs = /(?<![\w$€£¥#+-]|\d[.,/]|\w\(|[([]\d{1,12}, )\d{7,12}(?![\w%]|[.,/-]\d)/g;

/**
 * A telephone number without separators. Any long number could be one, so only the words before it decide. If
 * no numbering plan contains it, nothing distinguishes it from a count, so `call` and `answer` are not
 * enough. The reference takes every valid one, including order numbers and times in milliseconds.
 */
export const barePhoneNumber: Recognizer = {
  entity: 'PHONE_NUMBER',
  context: {
    ...phoneContext,
    demands: {
      isFit: isPlannedNumber,
      naming: {
        supports:
          'phone* telephone* tel cellphone* mobile* fax* sms whatsapp hotline* helpline* voicemail* landline* tollfree'.split(
            ' ',
          ),
        labels: 'cell ph mob tf'.split(' '),
      },
    },
  },
  mayOccurIn: ({ longestToken, digits }) => longestToken >= 7 && digits >= 7,
  find,
};

function find(text: string): PiiSpan[] {
  return [...text.matchAll(runs)]
    .filter(([digits]) => !isRoundNumber(digits) || isPlannedNumber(digits))
    .map(({ 0: digits, index }) => ({
      type: 'PHONE_NUMBER',
      start: index,
      end: index + digits.length,
      score: 0.2,
    }));
}
