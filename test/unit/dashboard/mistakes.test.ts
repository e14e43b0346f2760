import assert from 'node:assert/strict';
import {
  mistakeInAttribute,
  mistakeInMilliseconds,
  mistakeInWholeMilliseconds,
  unlessMistaken,
} from '../../../dashboard/src/shared/mistakes.js';

describe('a filter that is typed', () => {
  it('says what is wrong with it, and filters nothing meanwhile', () => {
    for (const text of ['1s', '-1', '1e3', ' ']) {
      assert.match(mistakeInMilliseconds(text) ?? '', /milliseconds/, text);
      assert.equal(unlessMistaken(text, mistakeInMilliseconds), '');
    }
    assert.match(mistakeInWholeMilliseconds('1.5') ?? '', /whole number/);
    assert.match(mistakeInAttribute('=late') ?? '', /key/);
  });

  it('is used as it is if nothing is wrong', () => {
    for (const text of ['', '0', '250', '1.5']) assert.equal(mistakeInMilliseconds(text), undefined, text);
    assert.equal(unlessMistaken('250', mistakeInWholeMilliseconds), '250');
    assert.equal(unlessMistaken('shop=a=b', mistakeInAttribute), 'shop=a=b');
  });
});
