import type { AddCommand } from '../command.js';
import { runRole } from '../role.js';

/**
 * `telltale edge|processors|sinks`: runs one role of the pipeline in this process, until a signal. A role's
 * modules are loaded only when it runs, so that an edge does not load the embedding runtime.
 */
export const addRoles: AddCommand = (program) => {
  program
    .command('edge')
    .description('run the HTTP edge')
    .action(async () => runRole('edge', (await import('../roles/edge.js')).startEdgeRole));
  program
    .command('processors')
    .description('run the processors')
    .action(async () => runRole('processors', (await import('../roles/processors.js')).startProcessorsRole));
  program
    .command('sinks')
    .description('run the sinks')
    .action(async () => runRole('sinks', (await import('../roles/sinks.js')).startSinksRole));
};
