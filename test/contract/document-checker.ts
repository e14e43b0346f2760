import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  HeaderObject,
  OpenApiDocument,
  Reference,
  ResponseObject,
} from '../../schemas/openapi/document-types.js';

/** An HTTP response. Header names are lower-case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Checks responses and request bodies against an OpenAPI document. */
export interface DocumentChecker {
  /** How the answer differs from the document; empty if it conforms. `method` is lower-case. */
  problemsOf(method: string, pattern: string, answer: Answer): readonly string[];
  /** The same for an answer that belongs to no operation (404, 405). */
  problemsOfComponent(name: string, answer: Answer): readonly string[];
  isValidBody(method: string, pattern: string, body: unknown): boolean;
  /** Validates a value against any schema of the document, by its JSON pointer. */
  errorsAt(pointer: string, value: unknown): readonly string[];
}

const escapedSegment = (segment: string): string =>
  encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));

export function pointerTo(...segments: readonly string[]): string {
  return segments.map((segment) => `/${escapedSegment(segment)}`).join('');
}

export function createDocumentChecker(document: OpenApiDocument): DocumentChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'edge');
  const compiled = new Map<string, ValidateFunction>();

  const errorsAt = (pointer: string, value: unknown): readonly string[] => {
    let validate = compiled.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `edge#${pointer}` });
      compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };

  const check = (response: ResponseObject, at: string, answer: Answer): readonly string[] => [
    ...headerProblems(document, response, answer, ajv),
    ...bodyProblems(response, at, answer, errorsAt),
  ];

  return {
    errorsAt,
    isValidBody(method, pattern, body) {
      const at = pointerTo('paths', pattern, method, 'requestBody', 'content', 'application/json', 'schema');
      return errorsAt(at, body).length === 0;
    },
    problemsOfComponent(name, answer) {
      const response = document.components.responses[name];
      if (response === undefined) return [`the document has no response ${name}`];
      return check(response, pointerTo('components', 'responses', name), answer);
    },
    problemsOf(method, pattern, answer) {
      const operation = document.paths[pattern]?.[method as 'get' | 'post' | 'delete'];
      const given = operation?.responses[String(answer.status)];
      if (given === undefined) return [`status ${answer.status} is not documented`];
      if (!('$ref' in given))
        return check(given, pointerTo('paths', pattern, method, 'responses', String(answer.status)), answer);
      return this.problemsOfComponent(given.$ref.slice(given.$ref.lastIndexOf('/') + 1), answer);
    },
  };
}

function headerProblems(
  document: OpenApiDocument,
  response: ResponseObject,
  answer: Answer,
  ajv: Ajv2020,
): readonly string[] {
  return Object.entries(response.headers).flatMap(([name, given]) => {
    const header = headerOf(document, given);
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) return header.required ? [`header ${name} is missing`] : [];
    return ajv.validate(header.schema, value)
      ? []
      : [`header ${name} is ${String(value)}: ${ajv.errorsText()}`];
  });
}

function headerOf(document: OpenApiDocument, given: HeaderObject | Reference): HeaderObject {
  if (!('$ref' in given)) return given;
  const header = document.components.headers[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (header === undefined) throw new RangeError(`${given.$ref} is not in the document`);
  return header;
}

function bodyProblems(
  response: ResponseObject,
  at: string,
  answer: Answer,
  errorsAt: DocumentChecker['errorsAt'],
): readonly string[] {
  if (response.content === undefined) return answer.body.length === 0 ? [] : ['there is a body'];
  const type = String(answer.headers['content-type']).split(';', 1)[0]?.trim() ?? '';
  if (response.content[type] === undefined) return [`content type ${type} is not documented`];
  const text = answer.body.toString('utf8');
  const value: unknown = type.endsWith('json') ? JSON.parse(text) : text;
  return errorsAt(`${at}${pointerTo('content', type, 'schema')}`, value);
}
