import { formatMillis } from '../../shared/format.js';
import { healthStatus, type Status } from '../../shared/status.js';

/** As much of a score as tells it from the one before. */
export interface Score {
  readonly at: string;
  readonly status: 'green' | 'yellow' | 'red' | null;
  readonly deductions: readonly { readonly code: string; readonly reason: string }[];
  readonly not_measured: readonly { readonly what: string; readonly reason: string }[];
}

/** What one score says and the one before it did not. `at` is the moment of the newer one. */
export interface Change {
  readonly at: string;
  readonly status: Status;
  /** What happened, in a word. */
  readonly word: string;
  readonly text: string;
  /** What of it is not known, each with the reason. */
  readonly missing: Score['not_measured'];
}

/**
 * What changed between scores, newest first: colours, and rules that began and ended. Where two scores lie further apart
 * than `longestMs`, the time between them is a change too: nobody knows what happened in it. Of scores of the same moment,
 * which is evaluated anew when more of it arrives, the newer one comes first, as the API has them.
 */
export function changesOf(history: readonly Score[], longestMs: number): readonly Change[] {
  const oldestFirst = [...history].reverse().sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return oldestFirst
    .flatMap((score, place) => {
      const before = oldestFirst[place - 1];
      return before === undefined ? [] : changesBetween(before, score, longestMs);
    })
    .reverse();
}

function changesBetween(before: Score, after: Score, longestMs: number): readonly Change[] {
  const { at } = after;
  const apart = Date.parse(at) - Date.parse(before.at);
  const had = new Set(before.deductions.map(({ code }) => code));
  const has = new Set(after.deductions.map(({ code }) => code));
  return [
    ...(apart > longestMs ? [silence(at, apart)] : []),
    ...before.deductions.filter(({ code }) => !has.has(code)).map(({ code }) => ended(after, code)),
    ...after.deductions
      .filter(({ code }) => !had.has(code))
      .map(({ code, reason }): Change => ({
        ...{ at, status: 'warn', word: 'began', text: `${code}: ${reason}`, missing: [] },
      })),
    ...(before.status === after.status ? [] : [recoloured(at, before.status, after.status)]),
  ];
}

const silence = (at: string, apart: number): Change => ({
  ...{ at, status: 'unknown', word: 'gap' },
  text: `No score for ${formatMillis(apart)} until then: what happened meanwhile is not known.`,
  missing: [],
});

/** A rule that can't be evaluated deducts nothing either: that is no end of what it found. */
function ended({ at, not_measured: missing }: Score, code: string): Change {
  if (missing.length === 0) return { at, status: 'ok', word: 'ended', text: code, missing };
  return {
    ...{ at, status: 'unknown', word: 'not seen' },
    text: `${code} is no longer found, but not everything could be evaluated.`,
    missing,
  };
}

const recoloured = (at: string, from: Score['status'], to: Score['status']): Change => ({
  ...{ at, status: healthStatus(to), word: to ?? 'unknown' },
  text: `The cluster went from ${from ?? 'unknown'} to ${to ?? 'unknown'}.`,
  missing: [],
});
