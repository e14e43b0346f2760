import { Command } from 'commander';
import { TelltaleError } from '../runtime/errors.js';
import { commands } from './commands.js';

// What Telltale and its servers write may hold texts and secrets of users: it is for their owner alone.
process.umask(0o077);

const program = new Command('telltale')
  .description('Stream processing on Kafka for LLM texts, events, traces and search clusters.')
  .showHelpAfterError('(add --help for what there is)');
for (const add of commands) add(program);

try {
  await program.parseAsync();
} catch (error) {
  // An error of the closed list says by itself what to do; any other is a fault of ours, and its stack helps.
  console.error(error instanceof TelltaleError ? `telltale: ${error.message} [${error.code}]` : error);
  process.exit(1); // not when everything else has ended: a download may still be going on
}
