// `npm run bench [name …]`: builds, then runs the benchmarks and writes docs/performance.md.
import { spawnSync } from 'node:child_process';

const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run('npm', ['run', '--silent', 'build']);
run(process.execPath, ['dist/bench/run.js', ...process.argv.slice(2)]);
