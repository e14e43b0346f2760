import { readInsert, type Sink } from '../../runtime/sink.js';
import { scoringResults } from '../../topics/scoring.js';

/** scoring.results → telltale.scoring_result_versions: one row per result, its numbers and labels in typed columns. */
export const scoringResultsSink: Sink = {
  name: 'scoring-results',
  from: scoringResults,
  table: 'telltale.scoring_result_versions',
  rowsPerRecord: 'one',
  id: 'task_id, version',
  insert: readInsert(new URL('./insert.sql', import.meta.url)),
};
