import { inRange, quoted } from '../../shared/sql-text.js';
import type { TimeRange } from '../../shared/time-range.js';
import type { Subject } from './figures.js';

/** Sums over the nodes. */
const isTraffic = (figure: string): boolean =>
  /^(queries|fetches|gets|indexed|deletes|search_open)_/.test(figure);

const sources = {
  cluster: ['cluster_overview', 'section'],
  nodes: ['cluster_nodes', 'name'],
  indices: ['cluster_indices', '`index`'],
} as const;

/** The query behind a figure over time, for an analyst. */
export function seriesSql(
  uuid: string,
  of: Subject,
  figure: string,
  range: TimeRange,
  nowMs: number,
): string {
  if (of === 'cluster' && isTraffic(figure)) return trafficSql(uuid, figure, range, nowMs);
  const [table, name] = figure === 'score' ? (['cluster_health', 'status'] as const) : sources[of];
  const moment = figure === 'score' ? 'at' : 'slot';
  return [
    `SELECT ${moment}, ${name}, ${figure}`,
    `FROM telltale.${table}`,
    `WHERE ${[`cluster_uuid = ${quoted(uuid)}`, ...inRange(moment, range, nowMs)].join('\n  AND ')}`,
    `ORDER BY ${moment}, ${name}`,
  ].join('\n');
}

const trafficSql = (uuid: string, figure: string, range: TimeRange, nowMs: number): string =>
  [
    `SELECT slot, sum(${figure}) AS ${figure}_of_all, countIf(isNull(${figure})) AS nodes_without`,
    'FROM telltale.cluster_nodes',
    `WHERE ${[`cluster_uuid = ${quoted(uuid)}`, ...inRange('slot', range, nowMs)].join('\n  AND ')}`,
    'GROUP BY slot',
    'ORDER BY slot',
  ].join('\n');

/** Slow operations, the slowest first. */
export const slowSql = (uuid: string, range: TimeRange, nowMs: number): string =>
  [
    'SELECT at, took_ms, kind, phase, `index`, node_name, query',
    'FROM telltale.slow_operation_entries',
    `WHERE ${[`cluster_uuid = ${quoted(uuid)}`, ...inRange('at', range, nowMs)].join('\n  AND ')}`,
    'ORDER BY took_ms DESC',
  ].join('\n');
