import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const [shortLength, longLength] = [20_000, 80_000];

/** How many characters regular expressions go through while something is done, steps back not counted. */
function charactersRead(act: () => void): number {
  const exec = Reflect.get<RegExp, 'exec'>(RegExp.prototype, 'exec');
  let read = 0;
  const counted = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    if (match !== null) read += match.index + match[0].length - from;
    else if (!this.sticky) read += text.length - from;
    return match;
  };
  Reflect.set(RegExp.prototype, 'exec', counted);
  try {
    act();
  } finally {
    Reflect.set(RegExp.prototype, 'exec', exec);
  }
  return read;
}

describe('a text that is four times as long', function () {
  this.timeout(60_000);

  for (const unit of [
    '{} ',
    '[{}] ',
    '\\"name\\":\\"password\\",\\"value\\":\\"x\\",',
    '"name":"password","value":"x",',
    '"{\\"a\\":1}",',
    '\\u0022a\\u0022:',
    'a\\\\',
    '%25',
    '&quot;a',
    'net user a b',
    'PASS a ',
  ])
    it(`is read in at most six times as many steps: ${unit}`, () => {
      const readOf = (length: number): number => {
        const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
        return charactersRead(() => void scrubText(text));
      };
      const [short, long] = [readOf(shortLength), readOf(longLength)];
      assert.ok(long <= 6 * short, `${short} and ${long} characters`);
    });
});
