import { writeFileSync } from 'node:fs';
import { edgeDocument } from './openapi/edge-document.js';

/** The text of schemas/openapi/edge.json. */
export function edgeDocumentText(): string {
  return `${JSON.stringify(edgeDocument, null, 2)}\n`;
}

if (process.argv[1]?.endsWith('generate-openapi.js') === true)
  writeFileSync('schemas/openapi/edge.json', edgeDocumentText());
