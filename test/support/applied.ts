import { runCommand } from './commands.js';
import { stackEnvironment } from './roles.js';
import type { TestStack } from './stack.js';

/** Applies the catalogue's topics and schemas to a stack's servers, once per run however often called. */
export const applyTopics = oncePerStack(['topics', 'apply']);
/** Migrates the tables of a stack's ClickHouse, once per run however often called. */
export const migrateTables = oncePerStack(['migrate']);

type Environment = Readonly<Record<string, string>>;

function oncePerStack(
  command: readonly string[],
): (stack: TestStack, settings?: Environment) => Promise<void> {
  const runs = new WeakMap<TestStack, Promise<void>>();
  return (stack, settings = {}) => {
    const known = runs.get(stack);
    if (known !== undefined) return known;
    const run = runCommand(command, { ...stackEnvironment(stack), ...settings }).then(
      () => undefined,
      (error: unknown) => {
        runs.delete(stack);
        throw error;
      },
    );
    runs.set(stack, run);
    return run;
  };
}
