// Writes generated/edge.d.ts: the types of the edge's API, from its OpenAPI document. Lint needs them too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const document = new URL('../schemas/openapi/edge.json', import.meta.url);
const folder = new URL('generated/', import.meta.url);

export async function writeTypes() {
  const types = astToString(await openapiTS(document));
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('edge.d.ts', folder), types);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeTypes();
