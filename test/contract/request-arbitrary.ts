import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { HttpMethod, OpenApiDocument, Operation, Schema } from '../../schemas/openapi/document-types.js';
import type { WireRequest } from './http-client.js';

/** A request with everything that is needed to evaluate its response. */
export interface GeneratedRequest {
  readonly wire: WireRequest;
  readonly method: HttpMethod;
  readonly pattern: string;
  /** The JSON value that was sent; undefined if the body was not JSON. */
  readonly json: unknown;
  readonly faults: readonly Fault[];
  /** For operations with query parameters: whether any were sent, and whether they are valid. */
  readonly query: Query['kind'];
}

/** Deliberate faults of a request, besides a body that the schema refuses. */
export type Fault =
  | 'no key'
  | 'bad key'
  | 'key without scope'
  | 'media type'
  | 'encoding'
  | 'not JSON'
  | 'idempotency key'
  | 'batch id'
  | 'method'
  | 'path'
  | 'id';

export interface Credentials {
  readonly allScopes: string;
  readonly noScope: string;
}

/** Existing ids, by the name of their path parameter. */
export type KnownIds = Readonly<Record<string, () => readonly string[]>>;

interface Target {
  readonly method: HttpMethod;
  readonly pattern: string;
  readonly operation: Operation;
}

const json = 'application/json';
const ndjson = 'application/x-ndjson';

/** Requests to every operation of the document: most are valid, the others have one or more faults. */
export function requestArbitrary(
  document: OpenApiDocument,
  credentials: Credentials,
  known: KnownIds,
): fc.Arbitrary<GeneratedRequest> {
  const targets = Object.entries(document.paths).flatMap(([pattern, item]) =>
    Object.entries(item).map(([method, operation]): Target => ({
      method: method as HttpMethod,
      pattern,
      operation,
    })),
  );
  return fc.constantFrom(...targets).chain((target) => requestTo(document, target, credentials, known));
}

interface Part {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fault?: Fault;
}

function requestTo(
  document: OpenApiDocument,
  target: Target,
  credentials: Credentials,
  known: KnownIds,
): fc.Arbitrary<GeneratedRequest> {
  const hasBody = target.operation.requestBody !== undefined;
  return fc
    .record({
      path: pathArbitrary(withExamples(document, target.pattern), known),
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'GET', 'POST') },
      ),
      key: keyArbitrary(credentials, target),
      idempotency: idempotencyArbitrary(target),
      batch: batchArbitrary(target),
      query: queryArbitrary(document, target),
      keyInQuery: fc.boolean(),
      others: headersArbitrary(target),
      body: hasBody ? bodyArbitrary(document, target) : fc.constant(noBody),
    })
    .map(({ path, method, key, idempotency, batch, query, keyInQuery, others, body }) => {
      const wrongMethod = method !== undefined && method !== target.method.toUpperCase();
      const parts: readonly Part[] = [key, idempotency, batch, body, { headers: others }];
      const faults: Fault[] = parts.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
      if (path.fault !== undefined) faults.push(path.fault);
      if (wrongMethod) faults.push('method');
      const headers = Object.assign({}, ...parts.map(({ headers = {} }) => headers)) as Record<
        string,
        string
      >;
      const parameters = [...query.parameters];
      if (
        takesKeyInQuery(target) &&
        keyInQuery &&
        query.kind !== 'none' &&
        headers['authorization'] !== undefined
      ) {
        parameters.push(['apiKey', headers['authorization'].replace('Bearer ', '')]);
        delete headers['authorization'];
      }
      return {
        method: target.method,
        pattern: target.pattern,
        json: body.json,
        faults,
        query: query.kind,
        wire: {
          method: method ?? target.method.toUpperCase(),
          path: withQuery(path.path, parameters),
          headers,
          body: body.bytes,
        },
      };
    });
}

/** If a path has several parameters, only the first varies; the others have the document's examples. */
function withExamples(document: OpenApiDocument, pattern: string): string {
  const [, ...others] = pattern.match(/\{\w+\}/g) ?? [];
  const parameters = Object.values(document.components.parameters);
  return others.reduce((path, placed) => {
    const example = parameters.find(({ in: at, name }) => at === 'path' && placed === `{${name}}`)?.example;
    return typeof example === 'string' ? path.replace(placed, example) : path;
  }, pattern);
}

function pathArbitrary(pattern: string, known: KnownIds): fc.Arbitrary<{ path: string; fault?: Fault }> {
  const name = /\{(\w+)\}/.exec(pattern)?.[1];
  const query = fc.constantFrom('', '', '', '?debug=1', '?%zz');
  const wrong = fc.stringMatching(/^[A-Za-z0-9~._-]{1,12}$/).map((tail) => `/${tail}`);
  const tail = fc.oneof({ weight: 40, arbitrary: fc.constant('') }, { weight: 1, arbitrary: wrong });
  const filled: fc.Arbitrary<{ path: string; fault?: Fault }> =
    name === undefined
      ? fc.constant({ path: pattern })
      : fc.oneof(
          { weight: 5, arbitrary: fc.nat().map((at) => fill(pattern, known[name]?.() ?? [], at)) },
          {
            weight: 1,
            arbitrary: fc.uuid().map((id) => ({ path: place(pattern, id), fault: 'id' as const })),
          },
          {
            weight: 1,
            arbitrary: fc
              .string({ minLength: 1, maxLength: 30 })
              .filter((id) => !['.', '..'].includes(id))
              .map((id) => ({
                path: place(pattern, encodeURIComponent(id.toWellFormed())),
                fault: 'id' as const,
              })),
          },
        );
  return fc.tuple(filled, tail, query).map(([of, more, search]) => {
    const path = more === '' ? of.path : `${of.path === '/' ? '/nothing' : of.path}${more}`;
    return {
      path: `${path}${search}`,
      ...(more !== '' ? { fault: 'path' as const } : of.fault ? { fault: of.fault } : {}),
    };
  });
}

const place = (pattern: string, id: string): string => pattern.replace(/\{\w+\}/, id);

function fill(pattern: string, ids: readonly string[], at: number): { path: string; fault?: Fault } {
  const id = ids[at % Math.max(1, ids.length)];
  return id === undefined ? { path: place(pattern, 'none'), fault: 'id' } : { path: place(pattern, id) };
}

/** `noScope` may read: if that is enough, it is no fault. */
function keyArbitrary({ allScopes, noScope }: Credentials, { operation }: Target): fc.Arbitrary<Part> {
  const mayRead = operation.security?.some(({ apiKey }) => apiKey?.includes('read')) ?? false;
  const of = (token: string, fault?: Fault): Part => ({
    headers: { authorization: `Bearer ${token}` },
    ...(fault === undefined ? {} : { fault }),
  });
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(of(allScopes)) },
    { weight: 1, arbitrary: fc.constant<Part>({ fault: 'no key' }) },
    { weight: 1, arbitrary: fc.constant(mayRead ? of(noScope) : of(noScope, 'key without scope')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(of(`${allScopes}x`, 'bad key'), of('tt__', 'bad key'), of('', 'bad key')),
    },
  );
}

function idempotencyArbitrary({ operation }: Target): fc.Arbitrary<Part> {
  const takes =
    operation.parameters?.some((of) => '$ref' in of && of.$ref.endsWith('/IdempotencyKey')) ?? false;
  if (!takes) return fc.constant({});
  const of = (key: string): Part => ({ headers: { 'idempotency-key': key } });
  const bad = (key: string): Part => ({ ...of(key), fault: 'idempotency key' });
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<Part>({}) },
    { weight: 2, arbitrary: fc.uuid().map(of) },
    { weight: 1, arbitrary: fc.constantFrom('contract-a', 'contract-b').map(of) },
    { weight: 1, arbitrary: fc.constantFrom('a b', '', 'x'.repeat(256), '\u00e9').map(bad) },
  );
}

/** `none` if the operation takes no query parameters, or none was sent. */
interface Query {
  readonly kind: 'none' | 'valid' | 'invalid';
  readonly parameters: readonly (readonly [string, string])[];
}

const noQuery: Query = { kind: 'none', parameters: [] };

function queryArbitrary(document: OpenApiDocument, { operation }: Target): fc.Arbitrary<Query> {
  const taken = (operation.parameters ?? []).flatMap((of) => ('name' in of && of.in === 'query' ? [of] : []));
  if (taken.length === 0) return fc.constant(noQuery);
  const required = taken.filter((of) => of.required);
  const valid = fc
    .record(Object.fromEntries(taken.map(({ name, schema }) => [name, valueOf(document, schema)])), {
      requiredKeys: required.map(({ name }) => name),
    })
    // Other tests check the rules between type and value: a document can't express rules across parameters.
    .map((values) => ({ ...values, value: Math.abs(Number(values['value']) % 100) }))
    .map((values): Query => {
      const parameters = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
      return { kind: 'valid', parameters };
    });
  const broken = fc.tuple(valid, fc.nat(), fc.constantFrom('', 'x', '\u0000', 'y'.repeat(300)));
  const invalid = broken.map(([{ parameters }, choice, wrong]): Query => {
    const name = required[choice % required.length]?.name ?? '';
    const value = name === 'metric' && wrong.length < 256 ? ' ' : wrong;
    const rest = parameters.filter(([other]) => other !== name);
    return { kind: 'invalid', parameters: choice % 3 === 0 ? rest : [...rest, [name, value]] };
  });
  return fc.oneof(
    { weight: 6, arbitrary: valid },
    { weight: 2, arbitrary: invalid },
    { weight: 1, arbitrary: fc.constant(noQuery) },
  );
}

function takesKeyInQuery({ operation }: Target): boolean {
  return operation.security?.some((of) => 'apiKeyInQuery' in of) ?? false;
}

function withQuery(path: string, parameters: Query['parameters']): string {
  if (parameters.length === 0) return path;
  const query = parameters
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function batchArbitrary({ operation }: Target): fc.Arbitrary<Part> {
  const takes = operation.parameters?.some((of) => '$ref' in of && of.$ref.endsWith('/BatchId')) ?? false;
  if (!takes) return fc.constant({});
  const of = (id: string): Part => ({ headers: { 'batch-id': id } });
  const spools = fc.oneof(fc.uuid(), fc.constant('00000000-0000-4000-8000-000000000001'));
  return fc.oneof(
    {
      weight: 10,
      arbitrary: fc.tuple(spools, fc.nat(50)).map(([spool, number]) => of(`${spool}/${number}`)),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('', '1', 'x/1', '00000000-0000-4000-8000-000000000001/-1')
        .map((id) => ({ ...of(id), fault: 'batch id' as const })),
    },
    { weight: 1, arbitrary: fc.constant<Part>({ fault: 'batch id' }) },
  );
}

function headersArbitrary({ operation }: Target): fc.Arbitrary<Record<string, string>> {
  const takesWait = operation.parameters?.some((of) => '$ref' in of && of.$ref.endsWith('/Prefer')) ?? false;
  return fc
    .record({
      'x-request-id': fc.option(fc.constantFrom('abc-123', 'not well formed', 'tt_a_b', 'x'.repeat(300)), {
        nil: undefined,
      }),
      prefer: fc.constantFrom(
        ...(takesWait ? ['wait=0.05', 'wait=1', 'respond-async, wait=1'] : [undefined, 'wait=x']),
      ),
      accept: fc.constantFrom(undefined, json, '*/*', 'text/html'),
    })
    .map((headers) =>
      Object.fromEntries(
        Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    );
}

interface Body extends Part {
  readonly bytes: Buffer | undefined;
  readonly json: unknown;
}

const noBody: Body = { bytes: undefined, json: undefined };

/** Valid and invalid lines: none of them makes the request invalid. */
function linesArbitrary(document: OpenApiDocument, schema: Schema): fc.Arbitrary<Body> {
  const item = valueOf(document, (schema['contentSchema'] ?? {}) as Schema);
  const line = fc.oneof(
    { weight: 6, arbitrary: item.map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
  );
  return fc.tuple(fc.array(line, { maxLength: 30 }), fc.nat(15)).map(([lines, choice]): Body => {
    const bytes = Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')]));
    const headers = { 'content-type': ndjson };
    if (choice === 1)
      return {
        headers: { ...headers, 'content-encoding': 'gzip' },
        bytes: gzipSync(bytes),
        json: undefined,
      };
    if (choice === 2)
      return { headers: { 'content-type': json }, bytes, json: undefined, fault: 'media type' };
    return { headers, bytes, json: undefined };
  });
}

function bodyArbitrary(document: OpenApiDocument, { operation }: Target): fc.Arbitrary<Body> {
  const { [ndjson]: lines, [json]: whole } = operation.requestBody?.content ?? {};
  if (lines !== undefined && whole === undefined) return linesArbitrary(document, lines.schema);
  const schema = whole?.schema ?? {};
  const valid = valueOf(document, schema);
  const values = fc.oneof(
    { weight: 8, arbitrary: valid },
    { weight: 2, arbitrary: fc.tuple(valid, fc.jsonValue(), fc.nat()).map(spoiled) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  const encoded = fc.tuple(values, fc.nat(15)).map(([value, choice]): Body => {
    const bytes = Buffer.from(JSON.stringify(value));
    const headers = { 'content-type': choice % 2 === 0 ? json : 'application/json; charset=utf-8' };
    if (choice === 1)
      return { headers: { ...headers, 'content-encoding': 'gzip' }, bytes: gzipSync(bytes), json: value };
    if (choice === 2)
      return { headers: { 'content-type': 'text/plain' }, bytes, json: value, fault: 'media type' };
    if (choice === 3)
      return {
        headers: { ...headers, 'content-encoding': 'gzip' },
        bytes: Buffer.concat([Buffer.of(1), bytes]),
        json: undefined,
        fault: 'encoding',
      };
    if (choice === 4)
      return { headers: { ...headers, 'content-encoding': 'br' }, bytes, json: value, fault: 'media type' };
    return { headers, bytes, json: value };
  });
  const broken = fc
    .oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(Buffer.alloc(0), Buffer.from('{"prompt":'), Buffer.from([0x22, 0xff, 0x22])),
    )
    .filter((bytes) => !isJson(bytes))
    .map((bytes): Body => ({ headers: { 'content-type': json }, bytes, json: undefined, fault: 'not JSON' }));
  return fc.oneof({ weight: 12, arbitrary: encoded }, { weight: 1, arbitrary: broken });
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Replaces one field with any value, or omits it. */
function spoiled([value, replacement, choice]: [unknown, unknown, number]): unknown {
  if (typeof value !== 'object' || value === null) return replacement;
  const names = Object.keys(value);
  const name = names[choice % Math.max(1, names.length)];
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return choice % 3 === 0 || name === undefined ? rest : { ...rest, [name]: replacement };
}

/** Values that fit a schema, for the kinds of schema that our request bodies use. */
function valueOf(document: OpenApiDocument, schema: Schema): fc.Arbitrary<unknown> {
  if (typeof schema['$ref'] === 'string') {
    const target =
      document.components.schemas[schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1)] ?? {};
    const siblings = Object.entries(schema).filter(([name]) => name !== '$ref');
    return valueOf(document, { ...target, ...Object.fromEntries(siblings) });
  }
  if (Array.isArray(schema['anyOf']))
    return fc.oneof(...(schema['anyOf'] as Schema[]).map((option) => valueOf(document, option)));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const types = [schema['type'] ?? 'null'].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(document, type, schema)));
}

function ofType(document: OpenApiDocument, type: string, schema: Schema): fc.Arbitrary<unknown> {
  if (type === 'object') {
    const properties = Object.entries(schema['properties'] as Record<string, Schema>);
    const required = (schema['required'] ?? []) as string[];
    return fc.record(
      Object.fromEntries(properties.map(([name, property]) => [name, valueOf(document, property)])),
      { requiredKeys: required },
    );
  }
  if (type === 'array')
    return fc.array(valueOf(document, schema['items'] as Schema), {
      minLength: Number(schema['minItems'] ?? 0),
      maxLength: 5,
    });
  if (type === 'string') return stringOf(schema);
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') return fc.oneof(fc.integer(), fc.double({ noDefaultInfinity: true, noNaN: true }));
  if (type === 'integer')
    return fc.integer({ min: Number(schema['minimum'] ?? -1_000), max: Number(schema['maximum'] ?? 1_000) });
  throw new RangeError(`no values for the type ${type} yet`);
}

function stringOf(schema: Schema): fc.Arbitrary<string> {
  // Within the next day: valid as the expiry of a key, and not too far in the future for an event.
  if (schema['format'] === 'date-time')
    return fc
      .integer({ min: 1, max: 20 })
      .map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const limit = Number(schema['maxLength'] ?? 200);
  const short = fc.string({
    unit: 'grapheme',
    minLength: Number(schema['minLength'] ?? 0),
    maxLength: Math.min(limit, 60),
  });
  const text = typeof schema['pattern'] === 'string' ? short.map((tail) => `x${tail}`.slice(0, 50)) : short;
  if (limit < 1_000) return text;
  const long = fc.constantFrom('a'.repeat(limit), 'a'.repeat(limit + 1), '😀'.repeat(limit), '\u0000 \ud800');
  return fc.oneof({ weight: 60, arbitrary: text }, { weight: 1, arbitrary: long });
}
