import assert from 'node:assert/strict';
import {
  attempted,
  Unavailable,
  withoutThoughts,
} from '../../../../../../processors/score-metrics/metrics/language-model/ask.js';

describe('thoughts sent along with a reply', () => {
  it('are left out', () => {
    assert.equal(withoutThoughts('<think>Hm, "K7".</think>\nHello.'), '\nHello.');
    assert.equal(withoutThoughts('  <THINKING>a</THINKING>b'), 'b');
  });

  it('are the whole reply if they never end', () => {
    assert.equal(withoutThoughts('<think>and then'), '');
  });

  it('are left out if the chat template wrote the opening tag', () => {
    assert.equal(withoutThoughts('Hm, "K7".\n</think>\nHello.'), '\nHello.');
    assert.equal(withoutThoughts('a</Thinking>b'), 'b');
    assert.equal(withoutThoughts('only thoughts</think>'), '');
    assert.equal(withoutThoughts('a</think>Use <think> tags.'), 'Use <think> tags.');
  });

  it('are not recognised if a text only mentions them', () => {
    assert.equal(withoutThoughts('Use <think> tags.'), 'Use <think> tags.');
    assert.equal(withoutThoughts('Between <think> and </think>.'), 'Between <think> and </think>.');
  });
});

describe('an attempt', () => {
  it('gives the value, or the reason why there is none', async () => {
    assert.deepEqual(await attempted(Promise.resolve(1)), { ok: true, value: 1 });
    assert.deepEqual(await attempted(Promise.reject(new Unavailable('away'))), { ok: false, reason: 'away' });
  });

  it('does not hide a mistake in the program', async () => {
    await assert.rejects(attempted(Promise.reject(new TypeError('oops'))), TypeError);
  });
});
