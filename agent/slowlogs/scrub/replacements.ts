/** The replacement of a credential. */
export const marker = '[redacted]';

/** A stretch of a text: from `start` up to `end`, which is not included, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * - `credential`: it goes.
 * - `doubtful`: it goes, but says nothing of what stands beside it.
 * - `nearby`: it goes where a credential stands beside it.
 */
export type Role = 'credential' | 'doubtful' | 'nearby';

/** A finding of a rule in a text. */
export interface Finding extends Span {
  /** The name of the rule: it explains why the text was redacted. */
  readonly rule: string;
  readonly role: Role;
  /** The text that replaces it. */
  readonly replacement: string;
  /** The original text, where an earlier pass replaced it. */
  readonly replaced?: string;
}

/** A replacement in a scrubbed text, and its rule. */
interface Replacement extends Span {
  readonly rule: string;
  /** The original text: it may not leave the host. */
  readonly replaced: string;
}

export interface Scrubbed {
  readonly text: string;
  /** The replacements in it, in order. */
  readonly replacements: readonly Replacement[];
}

export const finding = (rule: string, start: number, end: number, role: Role = 'credential'): Finding => ({
  rule,
  start,
  end,
  role,
  replacement: marker,
});

/** Sorted by their beginning, the longer first; overlapping ones are merged, under the rule of the first. */
export function merged(findings: readonly Finding[]): readonly Finding[] {
  const inOrder = findings
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Finding[] = [];
  for (const found of inOrder) {
    const last = result.at(-1);
    if (last === undefined || found.start >= last.end) result.push(found);
    else if (found.end > last.end) result[result.length - 1] = joined(last, found.end);
  }
  return result;
}

/** A replacement of an earlier pass becomes a part of it. */
const joined = ({ rule, role, start, replacement }: Finding, end: number): Finding => ({
  rule,
  role,
  start,
  end,
  replacement,
});

/** A text with its findings replaced, which are in order and do not overlap. */
export function replaced(source: string, findings: readonly Finding[]): Scrubbed {
  const replacements: Replacement[] = [];
  let text = '';
  let taken = 0;
  for (const { start, end, rule, replacement, replaced = source.slice(start, end) } of findings) {
    text += source.slice(taken, start);
    replacements.push({ rule, replaced, start: text.length, end: text.length + replacement.length });
    text += replacement;
    taken = end;
  }
  return { text: text + source.slice(taken), replacements };
}

export interface Cut {
  readonly text: string;
  readonly wasCut: boolean;
  /** Replacements in the text that was kept. */
  readonly replacements: number;
}

/** Cuts a scrubbed text to a limit of UTF-16 units, but neither within a replacement nor within a character. */
export function cut({ text, replacements }: Scrubbed, limit: number): Cut {
  if (text.length <= limit) return { text, wasCut: false, replacements: replacements.length };
  const through = replacements.find(({ start, end }) => start < limit && limit < end);
  const at = through?.start ?? (isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
  return {
    text: text.slice(0, at),
    wasCut: true,
    replacements: replacements.filter(({ end }) => end <= at).length,
  };
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
