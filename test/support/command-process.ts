import { Command } from 'commander';
import { addCommands } from '../../cli/commands.js';
import { TelltaleError } from '../../runtime/errors.js';

/** A CLI command to run, with its environment. */
export interface AskedCommand {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface EndedCommand {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

let said = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (chunk: Uint8Array | string): boolean => {
    said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };

/** The process of test/support/commands.ts: runs one command after another, each as cli/telltale.ts would. */
async function run({ args, environment }: AskedCommand): Promise<EndedCommand> {
  process.env = { ...environment };
  process.exitCode = 0;
  said = { stdout: '', stderr: '' };
  try {
    const program = new Command('telltale').exitOverride();
    await addCommands(program, args[0]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    console.error(error instanceof TelltaleError ? `telltale: ${error.message} [${error.code}]` : error);
    process.exitCode = 1;
  }
  return { ...said, code: process.exitCode };
}

process.on('message', (asked: AskedCommand) => {
  void run(asked).then((ended) => process.send?.(ended));
});
process.on('disconnect', () => process.exit());
