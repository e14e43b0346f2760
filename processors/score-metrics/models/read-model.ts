import { readFileSync } from 'node:fs';
import type { LinearModelFile } from '../metrics/linear/linear-model.js';

/** A model as `npm run train` wrote it; the file and NOTICE list sources and licences. */
export function readModel(name: 'toxicity' | 'injection'): LinearModelFile {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as LinearModelFile;
}
