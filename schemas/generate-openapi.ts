import { writeFileSync } from 'node:fs';
import { agentDocument } from './openapi/agent-document.js';
import type { OpenApiDocument } from './openapi/document-types.js';
import { edgeDocument } from './openapi/edge-document.js';

const textOf = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** The text of schemas/openapi/edge.json. */
export const edgeDocumentText = (): string => textOf(edgeDocument);

/** The text of schemas/openapi/agent.json. */
export const agentDocumentText = (): string => textOf(agentDocument);

if (process.argv[1]?.endsWith('generate-openapi.js') === true) {
  writeFileSync('schemas/openapi/edge.json', edgeDocumentText());
  writeFileSync('schemas/openapi/agent.json', agentDocumentText());
}
