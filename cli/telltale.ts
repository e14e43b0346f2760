import { Command } from 'commander';
import { TelltaleError } from '../runtime/errors.js';
import { version } from '../runtime/version.js';
import { addCommands } from './commands.js';

// Files of Telltale and its servers can contain users' texts and secrets: only the owner may read them.
process.umask(0o077);

const program = new Command('telltale')
  .version(version)
  .description('Stream processing on Kafka for LLM texts, events, traces and search clusters.')
  .showHelpAfterError('(add --help for usage)');
await addCommands(program, process.argv[2]);

try {
  await program.parseAsync();
} catch (error) {
  // A TelltaleError says what to do; anything else is a bug, and its stack helps to find it.
  console.error(error instanceof TelltaleError ? `telltale: ${error.message} [${error.code}]` : error);
  process.exit(1); // ends at once: something might still be running, such as a download
}
