import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import { scoringResults } from '../../topics/scoring.js';
import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { IncomingRecord } from '../../runtime/kafka/records.js';
import type { Sink } from '../../runtime/sink.js';
import { columnsByKey, columnsByMetric, entityTypeColumns } from './columns.js';

type Row = Record<string, unknown>;

/** scoring.results → telltale.scoring_results: one row a request, its numbers and labels in typed columns. */
export const scoringResultsSink: Sink<ScoringResult> = {
  name: 'scoring-results',
  from: scoringResults,
  table: 'telltale.scoring_results',
  row({ value: result, appendedAt }: IncomingRecord<ScoringResult>) {
    const row: Row = {
      task_id: result.id,
      workspace: result.workspace,
      key_id: result.key_id,
      lane: result.lane,
      metric: result.metric,
      error: result.error,
      accepted_at: timestamp(result.accepted_at),
      appended_at: timestamp(result.appended_at),
      taken_at: timestamp(result.taken_at),
      scored_at: timestamp(result.scored_at),
      result_appended_at: timestamp(appendedAt),
      prompt: result.prompt,
      response: result.response,
      metrics: result.metrics,
      scorer_versions: result.scorer_versions,
    };
    if (result.metrics !== null) addMeasured(row, JSON.parse(result.metrics) as Record<string, Row>);
    return row;
  },
};

/** Typed columns out of the metric objects. A key that the table has no column for stays in the JSON alone. */
function addMeasured(row: Row, metrics: Readonly<Record<string, Row>>): void {
  const unavailable: Record<string, string> = {};
  for (const metric in metrics) {
    const values = metrics[metric] ?? {};
    for (const key in values) {
      const value = values[key];
      if (key === 'unavailable') unavailable[metric] = String(value);
      else if (value !== null) assign(row, metric, key, value);
    }
  }
  row['unavailable'] = unavailable;
}

function assign(row: Row, metric: string, key: string, value: unknown): void {
  const column = columnsByKey.get(key) ?? columnsByMetric[metric]?.get(key);
  if (column !== undefined) {
    row[column] = value;
    return;
  }
  const types = entityTypeColumns.get(key);
  if (types !== undefined && typeof value === 'string') row[types] = entityTypes(value);
}

function entityTypes(entities: string): readonly string[] {
  return [...new Set((JSON.parse(entities) as { type: string }[]).map(({ type }) => type))].sort();
}
