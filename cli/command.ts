import type { Command } from 'commander';

/** A command of `telltale`: adds itself to the program. Each has a file of its own in cli/commands/. */
export type AddCommand = (program: Command) => void;
