import { withoutThoughts } from '../language-model/ask.js';

/** The verdicts of the model on a passage, and their values. */
const worth = { accurate: 0, 'minor inaccurate': 0.5, 'major inaccurate': 1 } as const;
type Verdict = keyof typeof worth;

/** The verdicts as the model is told them. */
export const verdictOptions = 'Accurate, Minor Inaccurate, Major Inaccurate';

const said = /\b(?:(minor|major) (?:inaccurate|inaccuracy|inaccuracies)|accurate)\b/g;
const lead = /^(?:(?:the|my|final) )*(?:answer|verdict|option) (?:is )?/;
const negation = /\b(?:not|no|never|neither|nor|cannot|hardly|unclear|unsure|\w*n t)\b/;

/**
 * 0, 0.5 or 1; undefined if the reply names none of the options, or does not make clear which one it means. A
 * reply that starts with an option may continue with an explanation. An option within a sentence counts only
 * if nothing is negated.
 */
export function readVerdict(reply: string): number | undefined {
  const words = withoutThoughts(reply)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(lead, '');
  const named = [...words.matchAll(said)];
  const [first] = named;
  if (first === undefined) return undefined;
  const verdicts = new Set(named.map(([, degree]): Verdict => verdictOf(degree)));
  if (verdicts.size > 1) return undefined;
  if (first.index > 0 && negation.test(words)) return undefined;
  return worth[verdictOf(first[1])];
}

function verdictOf(degree: string | undefined): Verdict {
  if (degree === 'minor') return 'minor inaccurate';
  return degree === 'major' ? 'major inaccurate' : 'accurate';
}
