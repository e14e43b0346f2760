import type { IncomingRecord } from '../../runtime/kafka/records.js';
import type { Sink } from '../../runtime/sink.js';
import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import { scoringResults } from '../../topics/scoring.js';
import { rowText } from './row-text.js';

/** scoring.results → telltale.scoring_results: one row a request, its numbers and labels in typed columns. */
export const scoringResultsSink = {
  name: 'scoring-results',
  from: scoringResults,
  table: 'telltale.scoring_results',
  row: ({ value, appendedAt }: IncomingRecord<ScoringResult>): string => rowText(value, appendedAt),
} satisfies Sink<ScoringResult>;
