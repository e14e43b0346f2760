import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { reasonOf, TelltaleError } from '../../../runtime/errors.js';
import type { Theme } from '../metrics/semantics/themes.js';
import type { Topic } from '../metrics/semantics/topics.js';
import type { SemanticsConfig } from './config.js';

const name = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores');
const example = z.string().trim().min(1).max(2_000);
const schemaReference = { $schema: z.string().optional() };

/** The form of a themes file; schemas/themes.schema.json is generated from it. */
export const themesFile = z.strictObject({
  ...schemaReference,
  themes: z.record(
    name,
    z.strictObject({
      of: z.enum(['prompt', 'response', 'both']).describe('Which texts are compared with the theme.'),
      opening: z
        .boolean()
        .optional()
        .describe(
          "Whether a text's first words are also compared on their own, for themes that show at the start.",
        ),
      examples: z.array(example).min(1).describe('Texts that show the theme; the nearest one counts.'),
    }),
  ),
});

/** The form of a topics file; schemas/topics.schema.json is generated from it. */
export const topicsFile = z.strictObject({
  ...schemaReference,
  topics: z.record(
    z.string().min(1),
    z.strictObject({
      description: example.describe('What texts about the topic are about, in a sentence.'),
      examples: z.array(example).describe('Texts about the topic; the three nearest count.'),
    }),
  ),
});

export function readThemes({ THEMES_FILE }: SemanticsConfig): readonly Theme<string>[] {
  const { themes } = readJson(THEMES_FILE ?? builtIn('themes.json'), themesFile, 'THEMES_FILE');
  return Object.entries(themes).map(([theme, declared]) => ({ name: theme, ...declared }));
}

export function readTopics({ TOPICS_FILE }: SemanticsConfig): readonly Topic<string>[] {
  const { topics } = readJson(TOPICS_FILE ?? builtIn('topics.json'), topicsFile, 'TOPICS_FILE');
  return Object.entries(topics).map(([topic, { description, examples }]) => ({
    name: topic,
    examples: [description, ...examples],
  }));
}

const builtIn = (file: string): URL => new URL(`../models/${file}`, import.meta.url);

function readJson<Form extends z.ZodType>(path: string | URL, form: Form, variable: string): z.output<Form> {
  const parsed = form.safeParse(parse(path, variable));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `  ${variable} ${String(path)}: ${issue.path.join('.')}: ${issue.message}`,
  );
  throw new TelltaleError('CONFIG_INVALID', { problems: problems.join('\n') });
}

function parse(path: string | URL, variable: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const problems = `  ${variable} ${String(path)}: ${reasonOf(cause)}`;
    throw new TelltaleError('CONFIG_INVALID', { problems }, { cause });
  }
}
