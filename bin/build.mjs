// Writes the types of the edge's API (the dashboard and its tests import them), compiles TypeScript into
// dist/, copies other files next to the code that reads them, builds the dashboard into dist/ui/, and removes
// compiled files without a source (a deleted test must not keep running).
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { writeTypes } from '../dashboard/types.mjs';

await writeTypes();
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
await import('./copy-assets.mjs');
if (spawnSync(process.execPath, ['dashboard/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1);

for (const path of readdirSync('dist', { recursive: true })) {
  if (!path.endsWith('.js') || path.startsWith(`ui${sep}`)) continue;
  if (!existsSync(path.replace(/\.js$/, '.ts')))
    for (const made of [path, `${path}.map`]) rmSync(join('dist', made), { force: true });
}
