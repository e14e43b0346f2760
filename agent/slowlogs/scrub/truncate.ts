import type { Scrubbed } from './replacements.js';

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
