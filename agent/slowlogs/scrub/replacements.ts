/** The replacement of a credential. */
export const marker = '[redacted]';

/** A stretch of a text: from `start` up to `end`, which is not included, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * - `credential`: it is redacted.
 * - `doubtful`: it is redacted, but says nothing about what is near it.
 * - `nearby`: it is redacted if a credential is near it.
 */
export type Role = 'credential' | 'doubtful' | 'nearby';

/** A finding of a rule in a text. */
export interface Finding extends Span {
  /** The name of the rule: it explains why the text was redacted. */
  readonly rule: string;
  readonly role: Role;
  /** The text that replaces it. */
  readonly replacement: string;
}

/** A replacement in a scrubbed text, and its rule. */
export interface Replacement extends Span {
  readonly rule: string;
  /** The original text: it must not leave the host. */
  readonly replaced: string;
}

/** How many of some offsets or words, which ascend, are at most `most`. */
export function countUpTo<T extends number | string>(ascending: readonly T[], most: T): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? most) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Scrubbed {
  readonly text: string;
  /** The replacements in it, in order. */
  readonly replacements: readonly Replacement[];
}

/** The rule of ids, which digests replace: they are no redactions. */
export const idRule = 'id of a document';
export const redactionsIn = (replacements: readonly Replacement[]): readonly Replacement[] =>
  replacements.filter(({ rule }) => rule !== idRule);

export const unscrubbed = (text: string): Scrubbed => ({ text, replacements: [] });

export const finding = (rule: string, start: number, end: number, role: Role = 'credential'): Finding => ({
  rule,
  start,
  end,
  role,
  replacement: marker,
});

export const moved = (found: Finding, by: number): Finding =>
  by === 0 ? found : { ...found, start: found.start + by, end: found.end + by };

/** Sorted by start, the longer first; overlapping ones are merged, under the rule of the first. */
export function merged(findings: readonly Finding[]): readonly Finding[] {
  const inOrder = findings
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Finding[] = [];
  for (const found of inOrder) {
    const last = result.at(-1);
    if (last === undefined || found.start >= last.end) result.push(found);
    else if (found.end > last.end) result[result.length - 1] = { ...last, end: found.end };
  }
  return result;
}

/**
 * A text with its findings replaced; they are in order and do not overlap. Earlier replacements that they
 * touch become a part of them; the others stay.
 */
export function replaced({ text, replacements: earlier }: Scrubbed, findings: readonly Finding[]): Scrubbed {
  const replacements: Replacement[] = [];
  let result = '';
  let [taken, next] = [0, 0];
  const takeUpTo = (end: number): void => {
    const by = result.length - taken;
    for (let one = earlier[next]; one !== undefined && one.end <= end; one = earlier[(next += 1)])
      replacements.push({ ...one, start: one.start + by, end: one.end + by });
    result += text.slice(taken, end);
    taken = end;
  };
  for (const { start, end, rule, replacement } of findings) {
    takeUpTo(start);
    let original = '';
    for (let one = earlier[next]; one !== undefined && one.start < end; one = earlier[(next += 1)]) {
      original += text.slice(taken, one.start) + one.replaced;
      taken = one.end;
    }
    original += text.slice(taken, end);
    replacements.push({
      rule,
      replaced: original,
      start: result.length,
      end: result.length + replacement.length,
    });
    result += replacement;
    taken = end;
  }
  takeUpTo(text.length);
  return { text: result, replacements };
}

export interface Cut {
  readonly text: string;
  readonly wasCut: boolean;
  /** Replacements in the text that was kept. */
  readonly replacements: readonly Replacement[];
}

/** Cuts a scrubbed text to a limit of UTF-16 units, but neither within a replacement nor within a character. */
export function cut({ text, replacements }: Scrubbed, limit: number): Cut {
  if (text.length <= limit) return { text, wasCut: false, replacements };
  const through = replacements.find(({ start, end }) => start < limit && limit < end);
  const at = through?.start ?? (isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
  return {
    text: text.slice(0, at),
    wasCut: true,
    replacements: replacements.filter(({ end }) => end <= at),
  };
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
