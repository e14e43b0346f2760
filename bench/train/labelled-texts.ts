import { labelledRows } from '../evaluate/labelled-data.js';
import { ownPosts, ownTexts } from './own-texts.js';

/** A text of a set. Texts of one group are never on both sides of a split. */
export interface LabelledText {
  readonly set: string;
  readonly text: string;
  readonly label: boolean;
  readonly group: string;
  /** The set's name for the row, if that says more than its label. */
  readonly kind: string;
}

type Row = Readonly<Record<string, string | number>>;

/** A set's texts. Throws if the set is not here, because a model must not silently lose training data. */
export function textsOf(
  set: string,
  { text = 'text', group = text, label }: { text?: string; group?: string; label: (row: Row) => boolean },
): LabelledText[] {
  const rows = labelledRows(set) as readonly Row[] | null;
  if (rows === null) throw new RangeError(`${set} is not here: training needs ../shared/data/metrics`);
  return rows.map((row) => ({
    set,
    text: String(row[text]),
    label: label(row),
    group: `${set}:${String(row[group])}`,
    kind: String(row['label'] ?? ''),
  }));
}

const byLabel = ({ label }: Row): boolean => Number(label) > 0;
const no = (): boolean => false;
const yes = (): boolean => true;

/** Prompts and answers of everyday use, without any attack. */
export const generalPrompts = (): LabelledText[] =>
  textsOf('halu_general_human', { text: 'prompt', label: no });
export const generalAnswers = (): LabelledText[] =>
  textsOf('halu_general_human', { text: 'response', group: 'prompt', label: no });

export function toxicityTexts(): LabelledText[] {
  return [
    ...textsOf('tox_hatecheck', { group: 'templ_id', label: byLabel }),
    ...textsOf('tox_surge', { label: byLabel }),
    ...textsOf('tox_openai_moderation', { label: byLabel }),
    ...textsOf('tox_davidson_tweets', { label: byLabel }),
    ...generalPrompts(),
    ...generalAnswers(),
    ...ownTexts(),
    ...ownPosts(),
    ...textsOf('sentiment_vader', { label: no }),
    ...textsOf('topic_langkit6', { label: no }),
  ];
}

/** Attacks, everyday prompts, and hard ones between: harmful requests, and harmless scary words. */
export function injectionTexts(): LabelledText[] {
  return [
    ...textsOf('inj_deepset', { label: byLabel }),
    ...textsOf('inj_jailbreak_inthewild', { label: yes }).map((row) => ({
      ...row,
      group: row.text.slice(0, 80),
    })),
    ...textsOf('inj_dan', { label: yes }).map((row) => ({ ...row, group: 'dan' })),
    ...generalPrompts(),
    ...textsOf('xstest_prompts', { label: no }),
    ...textsOf('harm_requests_harmbench', { label: no }),
    ...textsOf('harm_requests_donotanswer', { label: no }),
    ...textsOf('topic_langkit6', { label: no }),
    // However hostile, none of them attacks a model.
    ...ownTexts().map((row) => ({ ...row, label: false })),
  ];
}
