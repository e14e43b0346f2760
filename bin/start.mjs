// `npm start`: does everything that takes a fresh clone to a running Telltale.
import { fileURLToPath } from 'node:url';
import { build, giveUp, installDependencies, requireNode } from './prepare.mjs';

const parent = process.ppid;
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
installDependencies();
if (!build()) giveUp('the sources do not compile.');
if (process.env.npm_lifecycle_event === 'start' && process.ppid !== parent)
  giveUp('npm has ended meanwhile.');

// In this process, so that no signal gets lost on the way to a child process.
process.argv.splice(2, 0, 'dev');
await import('../dist/cli/telltale.js');
