/** What stands where a credential stood. */
export const marker = '[redacted]';

/** A stretch of a text: from `start` up to but without `end`, in UTF-16 units. */
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

/** What a rule found in a text. */
export interface Finding extends Span {
  /** The name of the rule: it answers why the text was redacted. */
  readonly rule: string;
  readonly role: Role;
  /** What stands in its place. */
  readonly replacement: string;
  /** What stood there, where an earlier pass replaced it. */
  readonly replaced?: string;
}

/** A replacement in a scrubbed text, and the rule that asked for it. */
interface Replacement extends Span {
  readonly rule: string;
  /** What stood in its place: it may not leave the host. */
  readonly replaced: string;
}

export interface Scrubbed {
  readonly text: string;
  /** Where the replacements stand in it, in order. */
  readonly replacements: readonly Replacement[];
}

export const finding = (rule: string, start: number, end: number, role: Role = 'credential'): Finding => ({
  rule,
  start,
  end,
  role,
  replacement: marker,
});

/** By where they begin, the longer first; those that overlap as one, which the first of them names. */
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

/** What an earlier pass replaced is a part of it then. */
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
  /** Replacements in what was kept. */
  readonly replacements: number;
}

/** Cuts a scrubbed text to a limit of UTF-16 units, but neither through a replacement nor through a character. */
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
