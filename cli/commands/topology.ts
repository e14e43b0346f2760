import type { AddCommand } from '../command.js';
import { pipeline } from '../pipeline.js';
import { mermaid } from '../topology.js';

/** `telltale topology`: the pipeline as a Mermaid flowchart, as docs/architecture.md shows it. */
export const addTopology: AddCommand = (program) => {
  program
    .command('topology')
    .description('draw the pipeline as Mermaid')
    .action(() => console.log(mermaid(pipeline)));
};
