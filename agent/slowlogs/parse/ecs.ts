import { textOf, type Fields } from './line-fields.js';
import { listOf } from './json.js';
import { nothingSaid, type RawFields } from './logged-operation.js';
import { withoutLogEscapes } from './unescape.js';

/**
 * An entry of an 8.x or 9.x log, with the names of the Elastic Common Schema. From 8.14 on it can name the
 * user. Snapshots of 8.0.0 wrote the names of the slow log and of the cluster without their prefix.
 */
export function readEcs(fields: Fields): RawFields {
  const text = (name: string): string | null => textOf(fields, name);
  const slow = (name: string): string | null => text(`elasticsearch.slowlog.${name}`) ?? text(name);
  const elastic = (name: string): string | null => text(`elasticsearch.${name}`) ?? text(name);
  const source = slow('source');
  return {
    ...nothingSaid,
    timestamp: text('@timestamp'),
    level: text('log.level'),
    logger: text('log.logger'),
    clusterUuid: elastic('cluster.uuid'),
    clusterName: elastic('cluster.name'),
    nodeId: elastic('node.id'),
    nodeName: elastic('node.name'),
    target: slow('message'),
    took: slow('took'),
    tookMillis: slow('took_millis'),
    totalHits: slow('total_hits'),
    searchType: slow('search_type'),
    totalShards: slow('total_shards'),
    stats: listOf(fields, 'elasticsearch.slowlog.stats' in fields ? 'elasticsearch.slowlog.stats' : 'stats'),
    id: slow('id'),
    routing: slow('routing'),
    traceId: text('trace.id'),
    user: text('user.name') ?? text('user.effective.name'),
    source: source === null ? null : withoutLogEscapes(source),
  };
}
