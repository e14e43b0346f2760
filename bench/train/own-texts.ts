import { readFileSync } from 'node:fs';
import type { LabelledText } from './labelled-texts.js';

/**
 * Texts written for this project. The public sets contain neither single letters, nor "n/a", nor plain sentences about
 * people: a model trained only on them guesses wildly there.
 */
interface OwnTexts {
  readonly calm: readonly string[];
  readonly hostile: readonly string[];
  /** Sentences about `{G}`, a group of people: some against it, some not. */
  readonly against: readonly string[];
  readonly about: readonly string[];
  readonly groups: readonly string[];
}

/** Each sentence is generated for this many groups, varying, so that no group predicts the label. */
const groupsEach = 4;

export function ownTexts(): LabelledText[] {
  const { calm, hostile, against, about, groups } = read('own-texts.json') as OwnTexts;
  return [
    ...calm.map((text) => ownRow(text, false)),
    ...hostile.map((text) => ownRow(text, true)),
    ...toldOfGroups(against, groups, true),
    ...toldOfGroups(about, groups, false),
  ];
}

/**
 * Posts written for this project, harmful and harmless. The public sets contain many insults and slurs, but
 * hardly any self-harm, threats, gore, or contempt without a swear word; nor news, novels and patients that
 * mention the same.
 */
interface OwnPosts {
  /** By kind of harm. */
  readonly harmful: Readonly<Record<string, readonly string[]>>;
  readonly harmless: Readonly<Record<string, readonly string[]>>;
}

export function ownPosts(): LabelledText[] {
  const { harmful, harmless } = read('own-posts.json') as OwnPosts;
  return [
    ...Object.values(harmful).flatMap((texts) => texts.map((text) => ownRow(text, true))),
    ...Object.values(harmless).flatMap((texts) => texts.map((text) => ownRow(text, false))),
  ];
}

const read = (file: string): unknown => JSON.parse(readFileSync(`bench/train/${file}`, 'utf8'));

const ownRow = (text: string, label: boolean, template = text): LabelledText => ({
  set: 'own',
  text,
  label,
  group: `own:${template}`,
  kind: '',
});

function toldOfGroups(
  templates: readonly string[],
  groups: readonly string[],
  label: boolean,
): LabelledText[] {
  return templates.flatMap((template, index) =>
    Array.from({ length: groupsEach }, (_, place) => {
      const group = groups[(index * 5 + place * 4) % groups.length] ?? '';
      const text = template.replaceAll('{G}', group);
      return ownRow(text.charAt(0).toUpperCase() + text.slice(1), label, template);
    }),
  );
}
