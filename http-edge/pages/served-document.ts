import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../schemas/openapi/document-types.js';

/** The document as this edge serves it: its own address, and the limits that it is configured with. */
export function servedDocument(textLimit: number): OpenApiDocument {
  const path = new URL('../../schemas/openapi/edge.json', import.meta.url);
  const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
  const { components } = document;
  return {
    ...document,
    servers: [{ url: '/', description: 'This edge.' }],
    components: {
      ...components,
      schemas: { ...components.schemas, Text: { ...components.schemas['Text'], maxLength: textLimit } },
    },
  };
}
