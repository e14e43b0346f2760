import type {
  HeaderObject,
  MediaType,
  OpenApiDocument,
  Operation,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../../schemas/openapi/document-types.js';
import { escaped, inline, page, paragraphs } from './html.js';

/** The OpenAPI document as a page to read: endpoints by tag, then the schemas. Rendered once, at the start. */
export function referencePage(document: OpenApiDocument): string {
  const chapters = document.tags.map(({ name, description }) => {
    const operations = operationsOf(document, name).map((of) => operationHtml(document, of));
    return `<h2>${escaped(name)}</h2>${paragraphs(description)}${operations.join('')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escaped(name)}"><summary><code>${escaped(name)}</code></summary>${json(schema)}</details>`,
  );
  const head = `<h1>${escaped(document.info.title)}</h1>${paragraphs(document.info.description)}`;
  const source = '<p>The same as a document for tools: <a href="/openapi.json">/openapi.json</a>.</p>';
  return page(
    `${document.info.title}: API reference`,
    `${head}${source}${chapters.join('')}<h2>Schemas</h2>${schemas.join('')}`,
  );
}

interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function operationsOf({ paths }: OpenApiDocument, tag: string): readonly Located[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function operationHtml(document: OpenApiDocument, { method, path, operation }: Located): string {
  const request = Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) =>
    mediaHtml(type, media),
  );
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    responseHtml(document, status, response),
  );
  return [
    `<details id="${escaped(operation.operationId)}"><summary><b>${method}</b><code>${escaped(path)}</code>`,
    `<span>${inline(operation.summary)}</span></summary>`,
    operation.description === undefined ? '' : paragraphs(operation.description),
    parametersHtml(document, operation.parameters ?? []),
    request.length === 0 ? '' : `<h4>Body</h4>${request.join('')}`,
    `<h4>Answers</h4><table><tbody>${responses.join('')}</tbody></table></details>`,
  ].join('');
}

function parametersHtml(
  document: OpenApiDocument,
  parameters: readonly (ParameterObject | Reference)[],
): string {
  if (parameters.length === 0) return '';
  const rows = parameters
    .map((parameter) => resolved(document.components.parameters, parameter))
    .map(
      ({ name, in: place, required, description }) =>
        `<tr><td><code>${escaped(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${inline(description)}</td></tr>`,
    );
  return `<h4>Parameters</h4><table><tbody>${rows.join('')}</tbody></table>`;
}

function responseHtml(document: OpenApiDocument, status: string, given: ResponseObject | Reference): string {
  const response = resolved(document.components.responses, given);
  const headers = Object.entries(response.headers)
    .map(([name, header]) => [name, resolved<HeaderObject>(document.components.headers, header)] as const)
    .filter(([, header]) => header.required)
    .map(([name]) => `<code>${escaped(name)}</code>`);
  const isProblem = '$ref' in given;
  const bodies = isProblem
    ? []
    : Object.entries(response.content ?? {}).map(([type, media]) => mediaHtml(type, media));
  return `<tr><td><b>${escaped(status)}</b></td><td>${inline(response.description)}${bodies.join('')}<br><small>${headers.join(' ')}</small></td></tr>`;
}

function mediaHtml(type: string, { schema, example }: MediaType): string {
  const reference = schema['$ref'];
  const name = typeof reference === 'string' ? nameIn(reference) : undefined;
  const link = name === undefined ? '' : ` <a href="#schema-${escaped(name)}">${escaped(name)}</a>`;
  return `<div><small>${escaped(type)}${link}</small>${example === undefined ? '' : json(example)}</div>`;
}

function resolved<Value extends object>(
  components: Readonly<Record<string, Value>>,
  given: Value | Reference,
): Value {
  if (!('$ref' in given)) return given;
  const target = components[nameIn(given.$ref)];
  if (target === undefined) throw new RangeError(`${given.$ref} is not in the document`);
  return target;
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const json = (value: unknown): string => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
