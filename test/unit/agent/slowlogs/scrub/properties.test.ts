import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { cut } from '../../../../../agent/slowlogs/scrub/replacements.js';
import { hostileJson, hostileText, hostileValue, plant } from './hostile-texts.js';
import { publishedToken } from './published-forms.js';
import { runs } from '../../../../support/properties.js';

const numRuns = runs(200);

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const escapedTimes = (text: string, times: number): string =>
  times === 0 ? text : escapedTimes(escaped(text), times - 1);

describe('whatever is scrubbed', function () {
  this.timeout(Math.max(300_000, numRuns * 100));
  const depth = fc.nat(3);

  it('is still JSON if it was JSON before, however often it was escaped', () => {
    fc.assert(
      fc.property(hostileJson, depth, (json, times) => {
        let text = scrubbed(escapedTimes(json, times));
        for (let level = 0; level < times; level += 1) text = JSON.parse(`"${text}"`) as string;
        assert.doesNotThrow(() => JSON.parse(text) as unknown, text);
      }),
      { numRuns },
    );
  });

  it('keeps the JSON in its strings', () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        const inner = JSON.stringify({ inner: value });
        const { json } = JSON.parse(scrubbed(JSON.stringify({ json: inner }))) as { json: string };
        assert.doesNotThrow(() => JSON.parse(json) as unknown, json);
      }),
      { numRuns },
    );
  });

  it('holds nothing more to scrub, be it JSON, cut off, escaped or text', () => {
    const text = fc.oneof(
      hostileText,
      fc.tuple(hostileJson, depth).map(([json, times]) => escapedTimes(json, times)),
      fc.tuple(hostileJson, fc.nat()).map(([json, at]) => json.slice(0, at % (json.length + 1))),
    );
    fc.assert(
      fc.property(text, (before) => {
        const once = scrubText(before);
        const again = scrubText(once.text);
        assert.equal(again.text, once.text);
      }),
      { numRuns, examples: [['name: token\nvalue: \n      =']] },
    );
  });

  it('has lost the secret that was planted in it, whatever stands around it and wherever it was cut', () => {
    fc.assert(
      fc.property(
        hostileValue,
        plant,
        hostileValue,
        depth,
        fc.nat(40),
        (left, planted, right, times, more) => {
          const whole = escapedTimes(
            JSON.stringify([left, { deep: { plant: planted.value } }, right]),
            times,
          );
          const end = whole.lastIndexOf(planted.secret) + planted.secret.length + more;
          for (const text of [whole, whole.slice(0, end)])
            assert.ok(!scrubbed(text).includes(planted.secret), `${text}\n${scrubbed(text)}`);
        },
      ),
      { numRuns },
    );
  });

  it('has lost the token of a service that was planted in it, be it a value of its own or a part of a text', () => {
    const around = fc.constantFrom('', 'see ', 'a: ', '(', '\n');
    fc.assert(
      fc.property(hostileValue, publishedToken, around, depth, (value, token, before, times) => {
        const text = escapedTimes(JSON.stringify([value, { note: `${before}${token}, then` }, value]), times);
        const left = scrubbed(text);
        const half = escapedTimes(token, times).slice(0, Math.ceil(token.length / 2));
        assert.ok(!left.includes(half), `${token}\n${left}`);
      }),
      { numRuns },
    );
  });

  it('has lost what a cut left of a secret, if that does not look like a word', () => {
    fc.assert(
      fc.property(hostileValue, plant, depth, fc.nat(), (left, planted, times, at) => {
        const whole = escapedTimes(JSON.stringify([left, { deep: { plant: planted.value } }]), times);
        const part = planted.secret.slice(0, 8 + (at % 16));
        fc.pre(/\d/.test(part) && /[A-Z]/.test(part) && /[a-z]/.test(part));
        const text = whole.slice(0, whole.lastIndexOf(planted.secret) + part.length);
        assert.ok(!scrubbed(text).includes(part), `${text}\n${scrubbed(text)}`);
      }),
      { numRuns },
    );
  });

  it('says where text was replaced, and is never cut inside a replacement', () => {
    fc.assert(
      fc.property(fc.oneof(hostileJson, hostileText), fc.nat(200), (before, limit) => {
        const whole = scrubText(before);
        let last = 0;
        for (const { start, end } of whole.replacements) {
          assert.ok(start >= last);
          assert.match(whole.text.slice(start, end), /^(?:\\*")?\[redacted\](?:\\*")?$/);
          last = end;
        }
        const kept = cut(whole, limit);
        assert.ok(kept.text.length <= limit && whole.text.startsWith(kept.text));
        for (const { start, end } of whole.replacements)
          assert.ok(end <= kept.text.length || start >= kept.text.length);
      }),
      { numRuns },
    );
  });

  it('says what it replaced: put back, that gives the text before', () => {
    fc.assert(
      fc.property(fc.oneof(hostileJson, hostileText), depth, (json, times) => {
        const before = escapedTimes(json, times);
        const { text, replacements } = scrubText(before);
        let [back, taken] = ['', 0];
        for (const { start, end, replaced } of replacements) {
          back += text.slice(taken, start) + replaced;
          taken = end;
        }
        assert.equal(back + text.slice(taken), before);
      }),
      { numRuns },
    );
  });
});
