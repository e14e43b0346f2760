import type { Sign } from './sign-places.js';

/** Tokens without a prefix to look up, known by how they are put together. */
export interface TokenShape {
  readonly form: RegExp;
  /** Each has one of them, from which its beginning is told: the form is tried there alone. */
  readonly signs: readonly Sign[];
  /** What a text must hold as well, wherever. */
  readonly needs?: string;
}
