export interface TokenForm {
  readonly vendor: string;
  readonly source: string;
}

export const word = '[A-Za-z0-9]';
export const wide = '[A-Za-z0-9_-]';
/** URL-safe base64, padding included. */
export const loose = '[A-Za-z0-9_=-]';
export const dotted = '[A-Za-z0-9_.+/=-]';
export const hex = '[A-Fa-f0-9]';
export const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const longest = 2_048;

/** A token: one of the prefixes, then a body. The body is an alphabet, or, where it has several parts, an expression. */
export function of(
  vendor: string,
  prefixes: string,
  body: string | RegExp,
  least = 0,
  most?: number,
): TokenForm {
  const starts = prefixes.split(' ').map((prefix) => prefix.replace(/[.$+]/g, '\\$&'));
  const goesOn =
    typeof body !== 'string'
      ? body.source
      : `${body}{${least},${most ?? longest}}${most === undefined ? '' : '(?![A-Za-z0-9])'}`;
  return { vendor, source: `(?:${starts.join('|')})${goesOn}` };
}
