import { readInsert, type Sink } from '../../runtime/sink.js';
import { scoringResults } from '../../topics/scoring.js';

/** scoring.results → telltale.scoring_results: one row a request, its numbers and labels in typed columns. */
export const scoringResultsSink: Sink = {
  name: 'scoring-results',
  from: scoringResults,
  table: 'telltale.scoring_results',
  rowsARecord: 'one',
  insert: readInsert(new URL('./insert.sql', import.meta.url)),
};
