import assert from 'node:assert/strict';
import { allRules } from '../../../../../agent/slowlogs/scrub/rules/all.js';
import { cloudKeys } from '../../../../../agent/slowlogs/scrub/rules/cloud-keys.js';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { viewOf } from '../../../../../agent/slowlogs/scrub/view.js';
import { leastOf, processorMs } from '../../../../support/processor-time.js';
import { nastyUnits } from './nasty-units.js';

const endings = [
  'Password',
  'Token',
  '_secret',
  '.api_key',
  'PrivateKey',
  '-pwd',
  '_accessKey2',
  'Key',
  '_id',
];

/** The time that all rules take to go through a text, in ms. */
function timeOf(text: string): number {
  return processorMs(() => {
    const view = viewOf(text);
    for (const rule of allRules) rule.find(view);
  });
}

/** How many times as long the longer text takes. Of what takes less than some milliseconds a clock says little. */
function growthOf(long: string, short: string): number {
  const least = (text: string): number => leastOf(3, 0, () => timeOf(text));
  return leastOf(3, mostGrowth, () => least(long) / Math.max(least(short), 4));
}

/** Eight times the text: a linear rule takes some eight times as long, one that squares takes sixty-four. */
const mostGrowth = 32;

describe('every rule takes linear time', () => {
  /** Names that all differ, as no memory of names helps with: each in JSON and in text. */
  it('on names of credentials that never come again', () => {
    const named = (index: number): string => `user${index.toString(36)}${endings[index % endings.length]}`;
    for (const assigned of [(name: string) => `${name}=v1 `, (name: string) => `"${name}":"v1",`]) {
      const text = `{${Array.from({ length: 40_000 }, (_, index) => assigned(named(index))).join('')}`;
      const growth = growthOf(text.slice(0, 512_000), text.slice(0, 64_000));
      assert.ok(growth < mostGrowth, `${growth.toFixed(1)} times as long`);
    }
  });

  it('on texts that make careless expressions take the square of it', () => {
    const [short, long] = [8_000, 64_000];
    for (const unit of nastyUnits) {
      const text = unit.repeat(long);
      const growth = growthOf(text.slice(0, long), text.slice(0, short));
      assert.ok(growth < mostGrowth, `${JSON.stringify(unit)}: ${growth.toFixed(1)} times as long`);
    }
  });
});

describe('keys of clouds', () => {
  /** Tried again at each of its places, a word of many parts took ten times as long. */
  it('are looked for in a word of many parts about as fast as in many words', () => {
    const timeIn = (unit: string): number => {
      const view = viewOf(unit.repeat(1_000_000 / unit.length));
      return processorMs(() => void cloudKeys.find(view));
    };
    for (const unit of ['b_', 'b-', '_']) {
      const least = leastOf(8, 4, () => timeIn(unit) / Math.max(timeIn('b '), 4));
      assert.ok(least < 4, `${unit}: ${least.toFixed(1)} times as long`);
    }
  });
});

/** Texts of some length that are JSON, or nearly: each is named by what would be gone through again and again. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  'strings of a list, each with a bracket that nothing closes': (n) => `[${repeated('"pw=[a",', n)}"pw=[a"]`,
  'strings of a list, each with a list in parentheses': (n) => `[${repeated(`"pw in ('a",`, n)}""]`,
  'pairs of a name and a value within each other': (n) => repeated('{"name":"password","value":', n),
  'backslashes without a quotation mark behind': (n) => repeated('\\', n),
  'backslashes in a string that was cut off': (n) => `{"a":"${repeated('\\', n)}`,
  'quotation marks': (n) => repeated('"', n),
  'escaped quotation marks': (n) => `["${repeated('\\"', n)}"]`,
  'braces': (n) => repeated('{', n),
  'brackets, all of them closed': (n) => `{"password":${repeated('[', n / 2)}${repeated(']', n / 2)},"a":1}`,
  'percent signs': (n) => `["${repeated('%', n)}"]`,
  'escapes of quotation marks in percent': (n) => `{"a":"${repeated('%22password%22:', n)}`,
  'one name': (n) => `{${repeated('"password":"hunter2",', n)}"a":1}`,
  'one name without a value': (n) => `["${repeated('"password":', n)}`,
  'names with objects that are none': (n) => `{"a":[${repeated('{"password":{"a":1,x}},', n)}1]}`,
  'an object under a name that is none for its last word': (n) => `{"password":{${repeated('"a":"b",', n)}x},"a":1}`,
  'a list under a named value that is none': (n) => `{"name":"password","value":[${repeated('1,', n)}x],"a":1}`,
  'objects within objects': (n) => `${repeated('{"password":', n / 2)}x${repeated('}', n / 24)},"a"`,
  'values before their names': (n) => `[${repeated('{"value":"x","name":"password"},', n)}1]`,
  'JSON in strings': (n) => `[${repeated('"{\\"password\\":\\"x\\"}",', n)}1]`,
  'strings cut in an escape': (n) => `[${repeated('"password=\\",', n)}`,
  'credentials that come again': (n) => `["password=Xk93jd8HaQz1",${repeated('"Xk93jd8HaQz1",', n)}1]`,
  'names of users beside passwords': (n) => repeated('user=a password=b ', n),
  'names of users that have no end': (n) => `password=b ${repeated('user="', n)}`,
  'addresses beside passwords': (n) => `password=b ${repeated('a.b@a.b-', n)}`,
  'ids beside passwords, each with a list that nothing closes': (n) => repeated('password=b key id =[ "token"', n),
  'ids beside passwords, each with a group that nothing closes': (n) => repeated('password=b id!=("a", ', n),
  'ids beside passwords, each with a document that has no end': (n) => repeated('password=b id = <<EOF\n', n),
  'long words behind passwords': (n) => repeated(`password=b ${'aB1'.repeat(400)} `, n),
  'headers in strings': (n) => `[${repeated('"OAuth realm=",', n)}1]`,
}; // prettier-ignore

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

/** In ms, which compiling and collecting garbage are a part of: of what takes little it says little. */
const timeOfScrubbing = (text: string): number => processorMs(() => void scrubText(text));

describe('the whole scrub takes linear time', () => {
  for (const [what, text] of Object.entries(texts))
    it(`on ${what}`, () => {
      const growth = (): number =>
        timeOfScrubbing(text(200_000)) / Math.max(timeOfScrubbing(text(100_000)), 100);
      const least = leastOf(5, 3, growth);
      assert.ok(least < 3, `${least.toFixed(1)} times as long for twice the text`);
    });

  it('on a megabyte that holds all of them, in seconds', () => {
    const each = 1_000_000 / Object.keys(texts).length;
    const all = Object.values(texts).map((text) => text(each));
    for (const joined of [JSON.stringify(all), all.join('\n')]) {
      const took = leastOf(3, 5_000, () => timeOfScrubbing(joined));
      assert.ok(took < 5_000, `${took.toFixed(0)} ms`);
    }
  });
});
