/** Neighbouring sentences that are evaluated together. */
export interface Passage {
  readonly text: string;
  /** How many sentences it stands for: its weight in a mean over sentences. */
  readonly sentences: number;
}

/**
 * One passage for each sentence if there are few enough. Otherwise as many passages of neighbours as allowed,
 * whose sizes differ by at most one. So a response of any length costs a bounded number of questions.
 */
export function passagesOf(sentences: readonly string[], atMost: number): readonly Passage[] {
  const groups = Math.min(atMost, sentences.length);
  return Array.from({ length: groups }, (_, group) => {
    const begin = Math.floor((group * sentences.length) / groups);
    const end = Math.floor(((group + 1) * sentences.length) / groups);
    return { text: sentences.slice(begin, end).join(' '), sentences: end - begin };
  });
}

/** Mean over sentences of the values of their passages. */
export function meanOverSentences(passages: readonly Passage[], found: readonly number[]): number {
  const sentences = passages.reduce((sum, passage) => sum + passage.sentences, 0);
  return passages.reduce((sum, passage, at) => sum + passage.sentences * (found[at] ?? 0), 0) / sentences;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
