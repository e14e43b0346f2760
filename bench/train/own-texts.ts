import { readFileSync } from 'node:fs';
import type { LabelledText } from './labelled-texts.js';

/**
 * Texts written for this project. The public sets know neither a single letter, nor "n/a", nor a plain sentence about
 * people: a model trained on them alone guesses wildly there.
 */
interface OwnTexts {
  readonly calm: readonly string[];
  readonly hostile: readonly string[];
  /** Sentences about `{G}`, a group of people: some against it, some not. */
  readonly against: readonly string[];
  readonly about: readonly string[];
  readonly groups: readonly string[];
}

/** Every sentence is told of this many groups, another few for each, so that no group tells the label. */
const groupsEach = 4;

export function ownTexts(): LabelledText[] {
  const { calm, hostile, against, about, groups } = JSON.parse(
    readFileSync('bench/train/own-texts.json', 'utf8'),
  ) as OwnTexts;
  const row = (text: string, label: boolean, template = text): LabelledText => ({
    set: 'own',
    text,
    label,
    group: `own:${template}`,
    kind: '',
  });
  const told = (templates: readonly string[], label: boolean): LabelledText[] =>
    templates.flatMap((template, index) =>
      Array.from({ length: groupsEach }, (_, place) => {
        const group = groups[(index * 5 + place * 4) % groups.length] ?? '';
        const text = template.replaceAll('{G}', group);
        return row(text.charAt(0).toUpperCase() + text.slice(1), label, template);
      }),
    );
  return [
    ...calm.map((text) => row(text, false)),
    ...hostile.map((text) => row(text, true)),
    ...told(against, true),
    ...told(about, false),
  ];
}
