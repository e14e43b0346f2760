import type { ContextWords, PiiSpan } from './entities.js';

/** As in the reference: five words before the span, +0.35, at least 0.4, at most 1. */
const wordsBefore = 5;
const boost = 0.35;
const leastWithContext = 0.4;

/** Far enough back for five words and the fillers between them. */
const reach = 120;
/** `-Office`, ` (SSN)`, ` mobile`: a label can follow, but only immediately. */
const labelBehind = /^[\s\-(,:]{1,2}(\p{L}{2,14})/u;
const labelBefore = /(\p{L}{1,14})[\s:.#=(]{0,3}$/u;

/**
 * Words that say nothing about the meaning of a number. They do not count towards the window, unless a rule
 * lists them: `no` means number before a telephone number.
 */
const fillers = new Set(
  (
    'a an the is are was were be been am and or of to in on at for by with from as it its this that these those my your ' +
    'our their his her i you we he she they me us them not no do does did have has had will would can could'
  ).split(' '),
);

type Verdict = 'supported' | 'opposed' | 'unknown';
type Matcher = (word: string) => boolean;

export interface ContextRule {
  readonly supports: Matcher;
  readonly labels: Matcher;
  readonly hints: Matcher;
  readonly opposes: Matcher;
  readonly penalty: number;
  /** For spans that the full set of words may not support. */
  readonly strict?: { readonly isFit: Matcher; readonly rule: ContextRule };
}

export function contextRule({ demands, ...words }: ContextWords): ContextRule {
  return {
    ...(demands === undefined
      ? {}
      : { strict: { isFit: demands.isFit, rule: contextRule({ ...words, ...demands.naming }) } }),
    supports: matcherOf(words.supports),
    labels: matcherOf(words.labels ?? []),
    hints: matcherOf(words.hints ?? []),
    opposes: matcherOf(words.opposes ?? []),
    penalty: words.penalty ?? 0,
  };
}

/** The span with its score raised or lowered by the words around it. */
export function inContext(text: string, span: PiiSpan, rule: ContextRule): PiiSpan {
  if (span.score >= 1) return span;
  const verdict = verdictOn(text, span, rule);
  if (verdict === 'unknown') return span;
  const score =
    verdict === 'supported'
      ? Math.min(1, Math.max(leastWithContext, span.score + boost))
      : Math.max(0, span.score - rule.penalty);
  return { ...span, score: Math.round(score * 100) / 100 };
}

function verdictOn(text: string, span: PiiSpan, rule: ContextRule): Verdict {
  const verdict = verdictOfWords(text, span, rule);
  const { strict } = rule;
  if (verdict !== 'supported' || strict === undefined) return verdict;
  return strict.isFit(text.slice(span.start, span.end)) ? verdict : verdictOfWords(text, span, strict.rule);
}

function verdictOfWords(text: string, span: PiiSpan, rule: ContextRule): Verdict {
  const behind = labelBehind.exec(text.slice(span.end, span.end + 18))?.[1]?.toLowerCase() ?? '';
  if (rule.labels(behind) || rule.supports(behind)) return 'supported';
  const before =
    labelBefore.exec(text.slice(Math.max(0, span.start - 18), span.start))?.[1]?.toLowerCase() ?? '';
  if (rule.labels(before)) return 'supported';
  let hinted = false;
  for (const word of nearestFirst(text, span.start, rule)) {
    if (rule.supports(word)) return 'supported';
    if (rule.opposes(word)) return 'opposed';
    if (rule.hints(word)) hinted = true;
  }
  return hinted ? 'supported' : 'unknown';
}

/** The context words before an offset, in lower case. A word that the window cuts is omitted. */
function nearestFirst(text: string, start: number, rule: ContextRule): string[] {
  const from = Math.max(0, start - reach);
  const before = text.slice(from, start).toLowerCase();
  const words = before.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (from > 0 && /^[\p{L}\p{N}]/u.test(before)) words.shift();
  return words
    .filter((word) => !fillers.has(word) || rule.supports(word) || rule.hints(word) || rule.opposes(word))
    .slice(-wordsBefore)
    .reverse();
}

function matcherOf(entries: readonly string[]): Matcher {
  const whole = new Set(entries.filter((entry) => !entry.endsWith('*')));
  const beginnings = entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return (word) => whole.has(word) || beginnings.some((beginning) => word.startsWith(beginning));
}
