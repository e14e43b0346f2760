import assert from 'node:assert/strict';
import { outcomeOf } from '../../../dashboard/src/pages/pipeline/replay-outcome.js';
import { letterCommands } from '../../../dashboard/src/pages/pipeline/letter-commands.js';

const commandsOf = (which: Parameters<typeof letterCommands>[0]): readonly string[] =>
  letterCommands(which).map(({ command }) => command);

describe('the commands that a page shows for dead letters', () => {
  it('look into one letter, and send it back with the reason', () => {
    assert.deepEqual(commandsOf({ id: '3f2a90c1d4e5b677' }), [
      'telltale dead-letters show 3f2a90c1d4e5b677',
      'telltale dead-letters replay 3f2a90c1d4e5b677 --reason "<what was fixed>"',
    ]);
  });

  it('list those of one stage and reason, try, and send them back', () => {
    assert.deepEqual(commandsOf({ stage: 'events', code: 'ROWS_REJECTED' }), [
      'telltale dead-letters list --stage events --code ROWS_REJECTED',
      'telltale dead-letters replay --stage events --code ROWS_REJECTED --dry-run',
      'telltale dead-letters replay --stage events --code ROWS_REJECTED --reason "<what was fixed>"',
    ]);
  });

  it('hold a name as one word, so that pasting it runs nothing else', () => {
    const [list] = commandsOf({ stage: "a'; reboot", code: 'X' });
    assert.equal(list, "telltale dead-letters list --stage 'a'\\''; reboot' --code X");
  });
});

describe('what a page says of letters that were sent back', () => {
  const nothing = { replayed: 0, left: 0, decided_before: [], unknown: [] };

  it('has their number, and how many are left', () => {
    assert.deepEqual(outcomeOf({ ...nothing, replayed: 1 }), { status: 'ok', word: '1 letter went back.' });
    assert.deepEqual(outcomeOf({ ...nothing, replayed: 1_000, left: 1_200 }), {
      status: 'warn',
      word: '1,000 letters went back. 1,200 are still open: send them back as well.',
    });
  });

  it('never claims what was not done', () => {
    for (const left of [{ decided_before: ['a'] }, { unknown: ['a'] }]) {
      const { status, word } = outcomeOf({ ...nothing, ...left });
      assert.equal(status, 'warn');
      assert.match(word, /^Nothing was done: /);
    }
  });
});
