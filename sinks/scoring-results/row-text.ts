import { jsonText, mapText, quoted, quotedOrNull } from '../../runtime/clickhouse/json-text.js';
import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import { columnsByKey, columnsByMetric, entityTypeColumns } from './columns.js';

/**
 * A row as JSON. Written as text: an object of sixty columns whose keys are known only at run time costs several times
 * as much to make and to write.
 */
export function rowText(result: ScoringResult, appendedAt: number): string {
  return (
    `{"task_id":${quoted(result.id)}` +
    `,"workspace":${quoted(result.workspace)}` +
    `,"key_id":${quoted(result.key_id)}` +
    `,"lane":${quoted(result.lane)}` +
    `,"metric":${quoted(result.metric)}` +
    `,"error":${quotedOrNull(result.error)}` +
    `,"accepted_at":"${timestamp(result.accepted_at)}"` +
    `,"appended_at":"${timestamp(result.appended_at)}"` +
    `,"taken_at":"${timestamp(result.taken_at)}"` +
    `,"scored_at":"${timestamp(result.scored_at)}"` +
    `,"result_appended_at":"${timestamp(appendedAt)}"` +
    `,"prompt":${quoted(result.prompt)}` +
    `,"response":${quotedOrNull(result.response)}` +
    `,"metrics":${quotedOrNull(result.metrics)}` +
    `,"scorer_versions":${mapText(result.scorer_versions)}` +
    (result.metrics === null ? '' : measuredText(JSON.parse(result.metrics) as MetricObjects)) +
    '}'
  );
}

type MetricObjects = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

const measuredColumns: readonly string[] = [
  ...new Set([
    ...columnsByKey.values(),
    ...Object.values(columnsByMetric).flatMap((byKey) => [...byKey.values()]),
    ...entityTypeColumns.values(),
  ]),
];
const columnNames = measuredColumns.map((column) => `,"${column}":`);

const placed = (columns: ReadonlyMap<string, string>): ReadonlyMap<string, number> =>
  new Map([...columns].map(([key, column]) => [key, measuredColumns.indexOf(column)]));

const placeByKey = placed(columnsByKey);
const placesByMetric = new Map(
  Object.entries(columnsByMetric).map(([metric, byKey]) => [metric, placed(byKey)]),
);
const placeOfTypes = placed(entityTypeColumns);

/** The values of one row by the place of their column; cleared before each, so that no row makes one of its own. */
const values: unknown[] = measuredColumns.map(() => undefined);

/**
 * Typed columns out of the metric objects. A key that the table has no column for stays in the JSON alone; of two that
 * have the same column the later counts.
 */
function measuredText(metrics: MetricObjects): string {
  values.fill(undefined);
  let unavailable = '';
  for (const metric in metrics) {
    const measured = metrics[metric] ?? {};
    for (const key in measured) {
      const value = measured[key];
      if (key === 'unavailable')
        unavailable += `${unavailable === '' ? '' : ','}${quoted(metric)}:${quoted(String(value))}`;
      else if (value !== null) place(metric, key, value);
    }
  }
  let text = '';
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value !== undefined) text += `${columnNames[index]}${jsonText(value)}`;
  }
  return `${text},"unavailable":{${unavailable}}`;
}

function place(metric: string, key: string, value: unknown): void {
  const index = placeByKey.get(key) ?? placesByMetric.get(metric)?.get(key);
  if (index !== undefined) {
    values[index] = value;
    return;
  }
  const ofTypes = placeOfTypes.get(key);
  if (ofTypes !== undefined && typeof value === 'string') values[ofTypes] = entityTypes(value);
}

function entityTypes(entities: string): readonly string[] {
  return [...new Set((JSON.parse(entities) as { type: string }[]).map(({ type }) => type))].sort();
}
