import type { AddCommand } from '../command.js';
import { runDev, type DevOptions } from '../dev/dev.js';

export const addDev: AddCommand = (program) => {
  program
    .command('dev')
    .description('run everything on this machine (what `npm start` does)')
    .option('--fresh', 'begin anew: forget the data, keys and passwords of earlier starts', false)
    .action(async (options: DevOptions) => {
      // The reader of the output may end before this process: everything is stopped all the same.
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
      await runDev(options, process.env, (line) => console.log(`telltale: ${line}`));
      // A server that was still starting at the signal is ended by its guard, not waited for.
      process.exit();
    });
};
