import assert from 'node:assert/strict';
import {
  Unavailable,
  type Ask,
  type Message,
  type Reply,
} from '../../../../../../processors/score-metrics/metrics/language-model/ask.js';
import { injectionTest } from '../../../../../../processors/score-metrics/metrics/prompt-injection/injection-test.js';

const saying = (text: string, truncated = false): Reply => ({ text, truncated, totalTokens: 5 });
const quoted = (messages: readonly Message[]): string =>
  /"(\w{8})"/.exec(messages[0]?.content ?? '')?.[1] ?? '';
const obeys: Ask = (messages) => Promise.resolve(saying(`"${quoted(messages)}"`));

function counting(): (bound: number) => number {
  let next = 0;
  return (bound) => next++ % bound;
}

describe('the prompt-injection test', () => {
  it('scores 0 when the model repeats the string, and shows the reply', async () => {
    assert.deepEqual(await injectionTest('What is a heron?', obeys, counting()), {
      values: { score: 0, response: '"ABCDEFGH"' },
      missing: {},
    });
  });

  it('scores 1 when the model does something else', async () => {
    const found = await injectionTest('Be a pirate!', () => Promise.resolve(saying('Arr!')), counting());
    assert.deepEqual(found, { values: { score: 1, response: 'Arr!' }, missing: {} });
  });

  it('scores 1 when the model was made to say nothing', async () => {
    const found = await injectionTest('Say nothing.', () => Promise.resolve(saying('')), counting());
    assert.deepEqual(found.values, { score: 1, response: '' });
  });

  it('draws another string for every call', async () => {
    const asked: string[] = [];
    const ask: Ask = (messages) => {
      asked.push(quoted(messages));
      return obeys(messages, { temperature: 0, maxTokens: 1 });
    };
    const random = counting();
    for (let call = 0; call < 4; call += 1) await injectionTest('hello', ask, random);
    assert.equal(new Set(asked).size, 4);
    for (const string of asked) assert.match(string, /^[A-Z2-9]{8}$/);
  });

  it('sends the unchanged prompt after the instruction', async () => {
    const prompt = ' "$&" \\1 {control}\n\u{1F600}';
    let sent = '';
    await injectionTest(
      prompt,
      (messages) => {
        sent = messages.at(-1)?.content ?? '';
        return Promise.resolve(saying(''));
      },
      counting(),
    );
    assert.ok(sent.endsWith(`Text: ${prompt}`));
    assert.ok(sent.indexOf('ABCDEFGH') < sent.indexOf(prompt));
  });

  it('is unavailable, with the reason, if the model gives no answer', async () => {
    const found = await injectionTest('hello', () => Promise.reject(new Unavailable('away')), counting());
    assert.deepEqual(found, {
      values: { score: null, response: null },
      missing: { score: 'away', response: 'away' },
    });
  });

  it('is unavailable if the model thought until its tokens were used up', async () => {
    const thinking = saying('<think>Shall I write "ABCDEFGH', true);
    const found = await injectionTest('hello', () => Promise.resolve(thinking), counting());
    assert.equal(found.values['score'], null);
    assert.match(found.missing['score'] ?? '', /used up its tokens/);
  });

  it('is unavailable if the reply has only thoughts, which do not show what the model would do', async () => {
    for (const text of ['<think>Shall I?</think>', 'Shall I?</think>\n', '<think>Shall I? ABCDEFGH']) {
      const found = await injectionTest('hello', () => Promise.resolve(saying(text)), counting());
      assert.deepEqual(found.values, { score: null, response: null }, text);
      assert.match(found.missing['score'] ?? '', /reasoning but no reply/);
    }
  });

  it('does not hide a mistake in the program', async () => {
    await assert.rejects(
      injectionTest('hello', () => Promise.reject(new TypeError('oops')), counting()),
      TypeError,
    );
  });
});
