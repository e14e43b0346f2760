// `npm start`: on a fresh clone, everything from nothing to a running Telltale.
import { fileURLToPath } from 'node:url';
import { build, giveUp, installDependencies, requireNode } from './prepare.mjs';

const parent = process.ppid;
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
requireNode();
installDependencies();
if (!build()) giveUp('the sources do not compile.');
if (process.env.npm_lifecycle_event === 'start' && process.ppid !== parent)
  giveUp('npm has ended meanwhile.');

// In this very process, so that a signal has no way to go astray.
process.argv.splice(2, 0, 'dev');
await import('../dist/cli/telltale.js');
