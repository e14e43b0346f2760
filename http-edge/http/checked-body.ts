import type { z } from 'zod';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem } from '../../runtime/http/problem.js';

const mostErrors = 20;

/** The body as parsed by the schema; throws a 422 that names the invalid members. */
export async function checkedBody<Schema extends z.ZodType>(
  exchange: Exchange,
  bodyLimit: number,
  schema: Schema,
  refusal: string,
): Promise<z.output<Schema>> {
  checkBodyHeaders(exchange, bodyLimit);
  const parsed = schema.safeParse(parseJson(await readBody(exchange, bodyLimit)));
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, mostErrors).map(({ code, path, message }) => ({
    pointer: path.map((part) => `/${String(part)}`).join(''),
    // If the schema allows several forms, zod does not say which one was meant.
    detail: code === 'invalid_union' ? refusal : message,
  }));
  throw new Problem('invalid', refusal, { errors });
}
