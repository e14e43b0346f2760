// The product's code folders from tsconfig.json, without those that this copy (such as an image) lacks.
import { existsSync, readFileSync } from 'node:fs';

const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));

export const productFolders = include.filter(
  (name) => name !== 'bench' && name !== 'test' && existsSync(name),
);
