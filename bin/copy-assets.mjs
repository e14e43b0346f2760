// Copies files that are not TypeScript (schemas, SQL, word lists, Java and XML of the stack) next to the
// compiled code that reads them, so that `new URL('./file', import.meta.url)` also works in dist/. Removes
// copies without a source: otherwise a renamed migration would exist twice.
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { productFolders } from './folders.mjs';

const folders = [...productFolders, 'deploy'];
const assets = new Set(['.avsc', '.json', '.sql', '.txt', '.csv', '.java', '.xml', '.html', '.css', '.cjs']);

for (const folder of folders) {
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || assets.has(extname(path)),
  });
}

for (const folder of folders.filter((name) => existsSync(`dist/${name}`))) {
  for (const path of readdirSync(`dist/${folder}`, { recursive: true }).map((name) => join(folder, name)))
    if (assets.has(extname(path)) && !existsSync(path)) rmSync(join('dist', path));
}
