import type { AddCommand } from '../command.js';
import { runDev, type DevOptions } from '../dev/dev.js';

export const addDev: AddCommand = (program) => {
  program
    .command('dev')
    .description('run everything on this machine (what `npm start` does)')
    .option('--fresh', 'start from scratch: delete the data, keys and passwords of earlier starts', false)
    .action(async (options: DevOptions) => {
      // If the reader of the output ends before this process, everything must still be stopped.
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
      await runDev(options, process.env, (line) => console.log(`telltale: ${line}`));
      // Doesn't wait for a server that was still starting at the signal: its guard ends it.
      process.exit();
    });
};
