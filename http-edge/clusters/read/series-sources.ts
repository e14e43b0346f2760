import { healthFigures } from '../../../schemas/cluster-rows/series-figures.js';
import { trafficFigures } from '../../../schemas/cluster-rows/traffic-figures.js';
import type { SeriesQuery } from '../series-query.js';
import { ofClusterWithin } from './store.js';

/**
 * A query for measurements: `timestamp`, `id` and `label` of what was measured, `value`, `why` it is null,
 * and `seconds` between measurements. The figure is a column name that the caller has checked.
 */
export function sourceOf({ of, figure, id }: SeriesQuery): string {
  if (of === 'nodes')
    return `SELECT slot AS timestamp, node_id AS id, name AS label, \`${figure}\` AS value, gap AS why, interval_seconds AS seconds
      FROM telltale.cluster_nodes WHERE ${ofClusterWithin('slot')}${id === undefined ? '' : ' AND node_id = {id:String}'}`;
  if (of === 'indices')
    return `SELECT slot AS timestamp, \`index\` AS id, \`index\` AS label, \`${figure}\` AS value, gap AS why, interval_seconds AS seconds
      FROM telltale.cluster_indices WHERE ${ofClusterWithin('slot')}${id === undefined ? '' : ' AND `index` = {id:String}'}`;
  if (figure === 'score') return scores;
  return (trafficFigures as readonly string[]).includes(figure) ? sumOverNodes(figure) : ofSection(figure);
}

const ofWhole = '{uuid:String} AS id, cluster_name AS label';

const scores = `SELECT at AS timestamp, ${ofWhole}, score AS value,
      arrayFirstOrNull((reason, what) -> what = 'score', \`not_measured.reason\`, \`not_measured.what\`) AS why, 60 AS seconds
    FROM telltale.cluster_health WHERE ${ofClusterWithin('at')}`;

const ofSection = (figure: string): string =>
  `SELECT slot AS timestamp, ${ofWhole}, \`${figure}\` AS value, nullIf(unavailable['${figure}'], '') AS why,
      interval_seconds AS seconds
    FROM telltale.cluster_overview
    WHERE ${ofClusterWithin('slot')} AND section = '${healthFigures.includes(figure) ? 'health' : 'cluster_stats'}'`;

/** If a node or its figure is missing, the sum is null: it would be too low. */
const sumOverNodes = (figure: string): string =>
  `SELECT slot AS timestamp, {uuid:String} AS id, any(cluster_name) AS label,
      countIf(isNull(${figure})) AS unknown,
      max(partial OR slot IN (
        SELECT slot FROM telltale.cluster_overview WHERE ${ofClusterWithin('slot')} AND section = 'nodes' AND nodes_cut > 0
      )) OR uniqExact(part) < any(parts) AS is_part,
      if(unknown > 0 OR is_part, NULL, sum(${figure})) AS value,
      multiIf(is_part, 'some nodes are left out', unknown > 0, concat(toString(unknown), ' nodes have no such figure'), NULL) AS why,
      max(interval_seconds) AS seconds
    FROM telltale.cluster_nodes WHERE ${ofClusterWithin('slot')} GROUP BY slot`;
