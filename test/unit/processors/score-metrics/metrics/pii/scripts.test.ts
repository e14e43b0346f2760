import assert from 'node:assert/strict';
import { recognizePii } from '../../../../../../processors/score-metrics/metrics/pii/recognize.js';
import { changesScript } from '../../../../../../processors/score-metrics/metrics/pii/scripts.js';

const found = (text: string): string[] =>
  recognizePii(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

describe('the script of a text', () => {
  it('changes between a letter or digit and a character of a script without spaces', () => {
    for (const text of ['m谢', '谢m', '8は', 'ーa', 'm입', 'ลj', 'é你'])
      assert.ok(changesScript(text, 1), text);
  });

  it('does not change within a word, or at a mark', () => {
    for (const text of ['ab', 'a1', 'éa', '你好', 'カー', '.你', 'a。', ' 你', '你-'])
      assert.ok(!changesScript(text, 1), text);
    assert.ok(!changesScript('a', 0));
    assert.ok(!changesScript('你', 1));
  });
});

describe('personal data in a text without spaces', () => {
  const around = [
    ['我的是', '，多谢'],
    ['私のは', 'です'],
    ['저는', '입니다'],
    ['ของฉัน', 'ครับ'],
    ['คือ', 'นะ'],
  ] as const;

  for (const data of [
    'EMAIL_ADDRESS jane@example.org',
    'URL https://www.example.org',
    'URL https://example.org/a/b',
    'URL www.example.org',
    'PHONE_NUMBER +8613800138000',
    'PHONE_NUMBER +81 3-3224-5000',
    'IP_ADDRESS 203.0.113.7',
  ])
    it(`is ${data}, and nothing of the words around it`, () => {
      const [, value = ''] = /^\S+ (.*)$/.exec(data) ?? [];
      for (const [before, behind] of around) assert.deepEqual(found(before + value + behind), [data], before);
    });

  it('includes an address wholly in such a script', () => {
    assert.deepEqual(found('see https://例え.テスト.jp ok'), ['URL https://例え.テスト.jp']);
    assert.deepEqual(found('at 例子.com today'), ['URL 例子.com']);
    assert.deepEqual(found('to 用户@例子.com today'), ['EMAIL_ADDRESS 用户@例子.com']);
    assert.deepEqual(found('(https://example.org/百科/天气)。'), ['URL https://example.org/百科/天气']);
  });

  it('ends with the address if a mark of the script follows its path', () => {
    for (const mark of '，。、；！？）')
      assert.deepEqual(found(`https://example.org/百科${mark}多谢`), ['URL https://example.org/百科'], mark);
  });
});
