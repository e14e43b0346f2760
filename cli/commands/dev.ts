import type { AddCommand } from '../command.js';
import { runDev, type DevOptions } from '../dev/dev.js';

export const addDev: AddCommand = (program) => {
  program
    .command('dev')
    .description('run everything on this machine (what `npm start` does)')
    .option('--fresh', 'begin anew: forget the data, keys and passwords of earlier starts', false)
    .action(async (options: DevOptions) => {
      // What prints may be gone before this process is: it then has no reader, and everything is stopped all the same.
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
      await runDev(options, process.env, (line) => console.log(`telltale: ${line}`));
      // A server that was still starting when the signal came is ended by its guard, not waited for.
      process.exit();
    });
};
