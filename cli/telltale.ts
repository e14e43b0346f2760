import { Command } from 'commander';
import { TelltaleError } from '../runtime/errors.js';
import { version } from '../runtime/version.js';
import { addCommands } from './commands.js';

// Files of Telltale and its servers may contain texts and secrets of users: only their owner may read them.
process.umask(0o077);

const program = new Command('telltale')
  .version(version)
  .description('Stream processing on Kafka for LLM texts, events, traces and search clusters.')
  .showHelpAfterError('(add --help for what there is)');
await addCommands(program, process.argv[2]);

try {
  await program.parseAsync();
} catch (error) {
  // An error of the closed list says what to do; any other is a bug, for which the stack helps.
  console.error(error instanceof TelltaleError ? `telltale: ${error.message} [${error.code}]` : error);
  process.exit(1); // not when everything else has ended: a download may still be going on
}
