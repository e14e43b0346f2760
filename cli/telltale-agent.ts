import { Command } from 'commander';
import { TelltaleError } from '../runtime/errors.js';
import { describeAgent } from './commands/agent.js';

// Files of Telltale and its servers can contain users' texts and secrets: only the owner may read them.
process.umask(0o077);

/** The agent as a separate package, without any server code. */
const program = new Command('telltale-agent')
  .description(
    'Accepts events and traces on this host, watches Elasticsearch clusters, and keeps all data until the Telltale server has it.',
  )
  .showHelpAfterError('(add --help for usage)');
describeAgent(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof TelltaleError ? `telltale-agent: ${error.message}` : error);
  process.exit(1);
}
