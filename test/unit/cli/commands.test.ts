import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addCommands } from '../../../cli/commands.js';

describe('the commands of telltale', () => {
  const namesOf = ({ commands }: Command): string[] => commands.map((command) => command.name());

  it('are all added if none is named', async () => {
    const program = new Command();
    await addCommands(program, '--help');
    const names = namesOf(program);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.includes('edge') && names.includes('topology'));
  });

  it('are added without the others if they are named', async () => {
    const all = new Command();
    await addCommands(all);
    for (const name of namesOf(all)) {
      const program = new Command();
      await addCommands(program, name);
      assert.ok(namesOf(program).includes(name), name);
      assert.ok(namesOf(program).length <= 3, `${name} comes with ${namesOf(program).join(', ')}`);
    }
  });
});
