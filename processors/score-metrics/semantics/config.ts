import { z } from 'zod';

export const semanticsConfig = z.object({
  THEMES_FILE: z
    .string()
    .optional()
    .describe(
      'JSON file of themes to use instead of the built-in ones (schemas/themes.schema.json). A theme adds the key `<prompt or response>.<theme>_similarity`.',
    ),
  TOPICS_FILE: z
    .string()
    .optional()
    .describe('JSON file of topics to use instead of the built-in six (schemas/topics.schema.json).'),
});

export type SemanticsConfig = z.output<typeof semanticsConfig>;
