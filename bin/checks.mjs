// The checks that are not tests, each as the arguments of a node process. `npm test` and `npm run check` run
// the same ones. Lint is last, because only lint needs files that the build generates.
import { productFolders } from './folders.mjs';

const sources = [...productFolders, 'dashboard/src'];

export const checks = {
  format: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  licences: ['bin/check-licences.mjs'],
  openapi: ['bin/lint-openapi.mjs'],
  unused: ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
  imports: [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    ...sources,
  ],
  lint: ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'],
};
