import type { Command } from 'commander';

/** Adds a command of `telltale` to the program. Each command has its own file in cli/commands/. */
export type AddCommand = (program: Command) => void;
