import { noLanguageModel } from '../reasons.js';

/**
 * What a language model has found for one metric: the values of the metric's keys, and the reason for those that are
 * null because something is missing. Plain data: it is found in one place and reported in several.
 */
export interface Finding {
  readonly values: Readonly<Record<string, string | number | null | readonly string[]>>;
  readonly missing: Readonly<Record<string, string>>;
}

/** All keys null, for one reason. */
export function nothingFound(keys: readonly string[], reason: string): Finding {
  return {
    values: Object.fromEntries(keys.map((key) => [key, null])),
    missing: Object.fromEntries(keys.map((key) => [key, reason])),
  };
}

/** What the language model was asked for one request: each question once, whichever metrics report it. */
export interface LanguageModelFindings {
  readonly injection?: Finding;
  readonly hallucination?: Finding;
}

/** Reports one value of a finding under another key, or null with the reason. */
export function reported(finding: Finding | undefined, from: string, to: string): Finding {
  if (finding === undefined) return nothingFound([to], noLanguageModel);
  const reason = finding.missing[from];
  return {
    values: { [to]: finding.values[from] ?? null },
    missing: reason === undefined ? {} : { [to]: reason },
  };
}
