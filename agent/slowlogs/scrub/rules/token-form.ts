import { Body } from './token-body.js';

/** A family of tokens: how they begin, and what they go on with. */
export interface TokenForm {
  readonly vendor: string;
  readonly prefixes: readonly string[];
  /** What may follow the prefix. */
  readonly body: Body;
  /** Fewest and most characters of the body. */
  readonly least: number;
  readonly most: number;
}

/** Bodies are read so far only: many that begin and none that ends well must not take the square of the time. */
export const word = /[A-Za-z0-9]{0,2048}/y;
export const wide = /[A-Za-z0-9_-]{0,2048}/y;
/** Base64 for addresses, padding included. */
export const loose = /[A-Za-z0-9_=-]{0,2048}/y;
export const dotted = /[A-Za-z0-9_.+/=-]{0,2048}/y;
export const lower = /[a-z0-9]{0,2048}/y;
export const hex = /[A-Fa-f0-9]{0,2048}/y;
export const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/y;

export const of = (
  vendor: string,
  prefixes: string,
  body: RegExp,
  least: number,
  most = Infinity,
): TokenForm => ({
  vendor,
  prefixes: prefixes.split(' '),
  body: new Body(body),
  least,
  most,
});
