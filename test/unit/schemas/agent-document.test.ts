import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { components } from '../../../agent/components.js';
import { connectionKinds } from '../../../agent/integration/connection-test/result.js';
import { agentDocumentText } from '../../../schemas/generate-openapi.js';
import type { OpenApiDocument } from '../../../schemas/openapi/document-types.js';
import { agentContext } from '../../support/agent-components.js';

const text = readFileSync(new URL('../../../schemas/openapi/agent.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as OpenApiDocument;

/** Routes of the listener itself, in front of the components'. */
const ofListener = ['/livez', '/readyz', '/metrics', '/openapi.json', '/status'].map((path) => `GET ${path}`);

describe('the OpenAPI document of the agent', () => {
  it('is up to date with its source (`npm run generate`)', () => {
    assert.equal(text, agentDocumentText());
  });

  it('has every route of every component, and no other', async () => {
    const running = await Promise.all(components.map((component) => component.start(agentContext())));
    try {
      const ofParts = running.flatMap(({ routes = [] }) => routes.map((of) => `${of.method} ${of.pattern}`));
      const ofDocument = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      );
      assert.deepEqual([...ofParts, ...ofListener].sort(), ofDocument.sort());
    } finally {
      await Promise.all(running.map((component) => component.stop()));
    }
  });

  it('refers only to what exists, and has nothing that is not referred to', () => {
    const referred = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const present = Object.entries(document.components).flatMap(([kind, components]) =>
      kind === 'securitySchemes' ? [] : Object.keys(components).map((name) => `${kind}/${name}`),
    );
    assert.deepEqual([...referred, 'responses/MethodNotAllowed'].sort(), present.sort());
  });

  it('knows every kind of a connection test', () => {
    const { properties } = document.components.schemas['ConnectionTest'] as {
      properties: { kind: { enum: readonly string[] } };
    };
    assert.deepEqual(properties.kind.enum, connectionKinds);
  });
});
