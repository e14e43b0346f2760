import { z } from 'zod';
import { flag } from '../../runtime/config.js';
import { cleanMode } from './metrics/pii/recognize.js';
import type { PiiSettings } from './metrics/pii/score-pii.js';

/** How personal data is reported. */
export const piiConfig = z.object({
  PII_MODE: z
    .enum(['clean', 'langkit'])
    .default('clean')
    .describe(
      '`clean`: one entity for each stretch of text, above a threshold. `langkit`: the raw list of the reference, with every weak and overlapping match.',
    ),
  PII_THRESHOLD: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(cleanMode.threshold)
    .describe('Entities with a lower score are left out; clean mode only.'),
  PII_RESOLVE_OVERLAPS: flag(cleanMode.resolveOverlaps).describe(
    'Of overlapping entities, keep only the one with the best score; clean mode only.',
  ),
});

export function piiSettings(config: z.output<typeof piiConfig>): PiiSettings {
  return {
    mode: config.PII_MODE,
    threshold: config.PII_THRESHOLD,
    resolveOverlaps: config.PII_RESOLVE_OVERLAPS,
  };
}
