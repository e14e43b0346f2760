import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { edgeConfig } from '../../../http-edge/config.js';
import { edgeRoutes } from '../../../http-edge/edge.js';
import { problemKinds } from '../../../runtime/http/problem.js';
import { scopes } from '../../../http-edge/keys/scopes.js';
import { referencePage } from '../../../http-edge/pages/reference.js';
import { createHealth } from '../../../runtime/health.js';
import { silentLogger } from '../../../runtime/logging.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { edgeDocumentText } from '../../../schemas/generate-openapi.js';
import type { OpenApiDocument } from '../../../schemas/openapi/document-types.js';
import { createDocumentChecker, pointerTo } from '../../contract/document-checker.js';
import { createInMemoryPorts } from '../../support/in-memory-ports.js';

const text = readFileSync(new URL('../../../schemas/openapi/edge.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as OpenApiDocument;

interface Example {
  readonly pointer: string;
  readonly example: unknown;
}

/** Every media type with an example, anywhere in the document. */
function examplesIn(value: unknown, pointer = ''): readonly Example[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'schema' in value && 'example' in value ? [{ pointer, example: value.example }] : [];
  const inside = Object.entries(value).flatMap(([name, child]) =>
    examplesIn(child, pointer + pointerTo(name)),
  );
  return [...own, ...inside];
}

describe('the OpenAPI document of the edge', () => {
  const checker = createDocumentChecker(document);
  const metrics = createMetrics();
  const options = {
    ports: createInMemoryPorts(),
    config: edgeConfig.parse({}),
    logger: silentLogger,
    metrics,
    health: createHealth(),
  };
  const routes = edgeRoutes(options);

  it('is up to date with its source (`npm run generate`)', () => {
    assert.equal(text, edgeDocumentText());
  });

  it('has every route of the router, and no other', () => {
    const ofRouter = [...routes.hot, ...routes.cold].map((of) => `${of.method} ${of.pattern}`);
    const ofDocument = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(ofRouter.sort(), ofDocument.sort());
  });

  it('has examples that fit their schemas', () => {
    const examples = examplesIn(document);
    assert.ok(examples.length > 60);
    for (const { pointer, example } of examples)
      assert.deepEqual(checker.errorsAt(`${pointer}/schema`, example), [], pointer);
  });

  it('names every problem with its status', () => {
    const named = new Map<string, number>();
    for (const { content } of Object.values(document.components.responses)) {
      const { properties } = content?.['application/problem+json']?.schema as {
        properties: { status: { const: number }; type: { enum: readonly string[] } };
      };
      for (const type of properties.type.enum)
        named.set(type.replace('urn:telltale:problem:', ''), properties.status.const);
    }
    const known = Object.entries(problemKinds).filter(([kind]) => kind !== 'internal');
    assert.deepEqual(
      new Map([...named].sort()),
      new Map(known.map(([kind, { status }]) => [kind, status] as const).sort()),
    );
  });

  it('uses every component, and knows the scopes of keys', () => {
    for (const [kind, components] of Object.entries(document.components)) {
      if (kind === 'securitySchemes' || kind === 'responses') continue;
      for (const name of Object.keys(components))
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), name);
    }
    const { properties } = document.components.schemas['NewKey'] as {
      properties: { scopes: { items: { enum: readonly string[] } } };
    };
    assert.deepEqual(properties.scopes.items.enum, scopes);
  });

  it('can be read as a page that loads nothing', () => {
    const page = referencePage(document);
    for (const path of Object.keys(document.paths)) assert.ok(page.includes(path), path);
    assert.doesNotMatch(page, /<script|<link|<img|src=|@import|url\(|href="(?!#|\/)/);
  });
});
