import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { withoutIds } from '../../../../../agent/slowlogs/scrub/searched-ids.js';

const [shortLength, longLength] = [20_000, 80_000];

/**
 * How many characters regular expressions and searches for a text read during `act`, without backtracking.
 */
function charactersRead(act: () => void): number {
  const exec = Reflect.get<RegExp, 'exec'>(RegExp.prototype, 'exec');
  const includes = Reflect.get<{ includes: (text: string) => boolean }, 'includes'>(
    String.prototype,
    'includes',
  );
  let read = 0;
  const counted = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    if (match !== null) read += match.index + match[0].length - from;
    else if (!this.sticky) read += text.length - from;
    return match;
  };
  const countedIncludes = function (this: string, text: string): boolean {
    const at = this.indexOf(text);
    read += at === -1 ? this.length : at;
    return at !== -1;
  };
  Reflect.set(RegExp.prototype, 'exec', counted);
  Reflect.set(String.prototype, 'includes', countedIncludes);
  try {
    act();
  } finally {
    Reflect.set(RegExp.prototype, 'exec', exec);
    Reflect.set(String.prototype, 'includes', includes);
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

  it('is read in at most six times as many steps if the scripts of a search look up ids in maps', () => {
    const source = "params.m.get(doc['_id'].value)";
    const readOf = (length: number): number => {
      const scripts = Array.from({ length: length / 100 }, (_, at) => ({
        script: { script: { source, params: { m: { [`blue_${1_000 + at}`]: 1 } } } },
      }));
      const search = JSON.stringify({ query: { bool: { should: scripts } } });
      return charactersRead(() => void withoutIds(search, 'key'));
    };
    const [short, long] = [readOf(shortLength), readOf(longLength)];
    assert.ok(long <= 6 * short, `${short} and ${long} characters`);
  });
});
