import { Problem } from '../../runtime/http/problem.js';

/** The parameters of a request's query. */
export function queryOf(target: string): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1));
}

/** A parameter's value; null if it is absent. Throws if it is given twice. */
export function valueOf(query: URLSearchParams, parameter: string): string | null {
  const [value = null, ...more] = query.getAll(parameter);
  if (more.length > 0) throw invalid(parameter, `\`${parameter}\` is given more than once.`);
  return value;
}

/** The problem `invalid` that names the parameter. */
export const invalid = (parameter: string, detail: string): Problem =>
  new Problem('invalid', 'A parameter of the query is not valid.', {
    errors: [{ pointer: `/${parameter}`, detail }],
  });
