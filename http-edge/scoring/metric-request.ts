import type { MetricDeclaration } from '../../schemas/metrics.js';
import { Problem, type FieldError } from '../../runtime/http/problem.js';
import { isLongerThan } from '../../schemas/text-length.js';

/** The texts of a valid metric request. */
export interface Texts {
  readonly prompt: string;
  readonly response: string | null;
}

/** Checks a metric request; throws a problem that says what is wrong with it. */
export function textsOf(body: unknown, response: MetricDeclaration['response'], limit: number): Texts {
  if (!isObject(body))
    throw invalid([{ pointer: '', detail: 'The body must be a JSON object with a `prompt`.' }]);
  const texts = textsOrErrors(body, response, limit);
  if ('prompt' in texts) return texts;
  throw invalid(texts);
}

/**
 * The texts of a metric request, or what is wrong with it. Unknown fields are ignored, a null `response`
 * counts as absent, and a lone surrogate becomes U+FFFD, because UTF-8 can't encode it.
 */
export function textsOrErrors(
  body: object,
  response: MetricDeclaration['response'],
  limit: number,
): Texts | readonly FieldError[] {
  const fields: { prompt?: unknown; response?: unknown } = body;
  const errors: FieldError[] = [];
  const prompt = text(fields, 'prompt', limit, errors);
  if (prompt === null) errors.push(missing('prompt'));
  if (prompt === '')
    errors.push({ pointer: '/prompt', detail: '`prompt` is empty. Send at least one character.' });
  const answer = text(fields, 'response', limit, errors);
  if (answer === null && response === 'required') errors.push(missing('response'));
  if (errors.length > 0 || typeof prompt !== 'string' || answer === undefined) return errors;
  return { prompt, response: answer };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field's text; null if it is absent; undefined if it is wrong, after adding an error. */
function text(
  fields: { prompt?: unknown; response?: unknown },
  name: 'prompt' | 'response',
  limit: number,
  errors: FieldError[],
): string | null | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || (value === null && name === 'response')) return null;
  if (typeof value !== 'string') {
    errors.push({ pointer: `/${name}`, detail: `\`${name}\` must be a string, not ${nameOfType(value)}.` });
    return undefined;
  }
  if (isLongerThan(value, limit)) {
    errors.push({
      pointer: `/${name}`,
      detail: `\`${name}\` is longer than ${limit} characters. Shorten it.`,
    });
    return undefined;
  }
  return value.toWellFormed();
}

function missing(name: string): FieldError {
  return { pointer: `/${name}`, detail: `\`${name}\` is missing. Send it as a string.` };
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}

function invalid(errors: readonly FieldError[]): Problem {
  const detail = errors.map((error) => error.detail).join(' ');
  return new Problem('invalid', detail, { errors });
}
