import { runCommand } from './commands.js';
import { stackEnvironment } from './roles.js';
import type { TestStack } from './stack.js';

/** Applies the topics of the catalogue, with their schemas, to the servers of a stack: once a run, whoever asks. */
export const applyTopics = oncePerStack(['topics', 'apply']);
/** Brings the tables of a stack's ClickHouse to what the code expects: once a run, whoever asks. */
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
