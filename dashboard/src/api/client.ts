import type { paths } from '../../generated/edge.js';

type Json<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** The paths of the API that are read as JSON. */
export type ReadPath = {
  [Path in keyof paths]: paths[Path] extends { get: infer Operation }
    ? [Json<Operation>] extends [never]
      ? never
      : Path
    : never;
}[keyof paths];

/** The answer of a path. */
export type Answer<Path extends ReadPath> = paths[Path] extends { get: infer Operation }
  ? Json<Operation>
  : never;

/** The answer of the combined call. */
export type Scored =
  paths['/api/v1/monitoring/metrics']['post']['responses']['200']['content']['application/json'];

/** The attributes of a new key. */
export type KeyRequest = paths['/api/v1/keys']['post']['requestBody']['content']['application/json'];

/** A key with its secret, which the API returns only once. */
export type IssuedKey = paths['/api/v1/keys']['post']['responses'][201]['content']['application/json'];

export type Values = Readonly<Record<string, string | number | undefined>>;

/** An answer that is not a success. `status` is 0 if there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly requestId: string | undefined,
  ) {
    super(detail);
    this.name = 'ApiError';
  }
}

/** The address of a read: fills in `{name}` from `params`, and omits undefined values from the query. */
export function addressOf(path: string, params: Values = {}, query: Values = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given).toString()}`;
}

type Method = 'GET' | 'POST' | 'DELETE';

interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Calls the API with the session's cookie. `path` starts with `/api/`; throws ApiError. */
export async function call(method: Method, path: string, options: CallOptions = {}): Promise<unknown> {
  return (await answered(method, path, options)).answer;
}

/** Reads a path page by page, by the `Link` header with the next page (RFC 8288); throws ApiError. */
export async function callPages(path: string, signal?: AbortSignal): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { answer, headers } = await answered('GET', next, { signal });
    pages.push(answer);
    const query = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    next = query === undefined ? undefined : `${path.split('?', 1)[0]}${query}`;
  }
  return pages;
}

async function answered(
  method: Method,
  path: string,
  options: CallOptions,
): Promise<{ readonly answer: unknown; readonly headers: Headers }> {
  const { response, text } = await send(method, path, options);
  const answer: unknown = text === '' ? undefined : parsed(text);
  if (response.ok && text !== '' && answer === undefined)
    throw new ApiError(
      0,
      'Something between this page and the edge answered in its place: a proxy?',
      undefined,
    );
  if (response.ok) return { answer, headers: response.headers };
  const { detail, request_id: id } = (answer ?? {}) as { detail?: string; request_id?: string };
  throw new ApiError(response.status, detail ?? `The edge answered ${response.status}.`, id);
}

async function send(
  method: Method,
  path: string,
  { body, signal }: CallOptions,
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(`/ui${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-telltale-dashboard': '1',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? null,
    });
    return { response, text: await response.text() };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(
      0,
      'The edge cannot be reached. Check that it runs, and your connection to it.',
      undefined,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
