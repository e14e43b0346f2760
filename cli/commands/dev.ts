import type { AddCommand } from '../command.js';
import { runDev, type DevOptions } from '../dev/dev.js';

export const addDev: AddCommand = (program) => {
  program
    .command('dev')
    .description('run everything on this machine (what `npm start` does)')
    .option('--fresh', 'begin anew: forget the data, keys and passwords of earlier starts', false)
    .action(async (options: DevOptions) => {
      await runDev(options, process.env, (line) => console.log(`telltale: ${line}`));
      // A server that was still starting when the signal came is ended by its guard, not waited for.
      process.exit();
    });
};
