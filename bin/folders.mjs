// The folders of the product's code, as tsconfig.json lists them; those that this copy lacks, as an image does, are left out.
import { existsSync, readFileSync } from 'node:fs';

const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));

export const productFolders = include.filter(
  (name) => name !== 'bench' && name !== 'test' && existsSync(name),
);
