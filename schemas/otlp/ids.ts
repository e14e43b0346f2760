import { quoted, type Findings } from './findings.js';

/** How the ids of one kind are written. */
interface IdForm {
  readonly hex: RegExp;
  readonly hexAnyCase: RegExp;
  /** Requires padding: without it, the text could be mistaken for hex of a wrong length. */
  readonly base64: RegExp;
  readonly zero: string;
  readonly wanted: string;
}

const traceForm: IdForm = {
  hex: /^[0-9a-f]{32}$/,
  hexAnyCase: /^[0-9a-fA-F]{32}$/,
  base64: /^[\w+/-]{22}==$/,
  zero: '0'.repeat(32),
  wanted: '32 hex digits (or 16 bytes in base64)',
};

const spanForm: IdForm = {
  hex: /^[0-9a-f]{16}$/,
  hexAnyCase: /^[0-9a-fA-F]{16}$/,
  base64: /^[\w+/-]{11}=$/,
  zero: '0'.repeat(16),
  wanted: '16 hex digits (or 8 bytes in base64)',
};

export const traceId = (value: unknown, what: string, findings: Findings): string =>
  required(value, what, traceForm, findings);
export const spanId = (value: unknown, what: string, findings: Findings): string =>
  required(value, what, spanForm, findings);

/** An id in a link, or of a parent: absent, empty and all zero mean none. */
export const optionalTraceId = (value: unknown, what: string, findings: Findings): string =>
  optional(value, what, traceForm, findings);
export const optionalSpanId = (value: unknown, what: string, findings: Findings): string =>
  optional(value, what, spanForm, findings);

function required(value: unknown, what: string, form: IdForm, findings: Findings): string {
  const id = idOf(value, form);
  if (id !== undefined && id !== form.zero) return id;
  findings.note(
    id === undefined
      ? `${what} must be ${form.wanted}: ${quoted(value)}`
      : `${what} is all zero, which is not an id`,
  );
  return form.zero;
}

function optional(value: unknown, what: string, form: IdForm, findings: Findings): string {
  if (value === undefined || value === null || value === '') return '';
  const id = idOf(value, form);
  if (id === undefined) findings.note(`${what} must be ${form.wanted}: ${quoted(value)}`);
  return id === undefined || id === form.zero ? '' : id;
}

/** The id in lower-case hex; undefined if it does not have this form. */
function idOf(value: unknown, { hex, hexAnyCase, base64 }: IdForm): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (hex.test(value)) return value;
  if (hexAnyCase.test(value)) return value.toLowerCase();
  return base64.test(value) ? Buffer.from(value, 'base64').toString('hex') : undefined;
}
