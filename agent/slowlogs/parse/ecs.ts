import { textOf, type Fields } from './line-fields.js';
import { listOf } from './json.js';
import { nothingSaid, type RawFields } from './logged-operation.js';
import { withoutLogEscapes } from './unescape.js';

/** An entry of an 8.x or 9.x log, in the names of the Elastic Common Schema. From 8.14 on it may name the user. */
export function readEcs(fields: Fields): RawFields {
  const text = (name: string): string | null => textOf(fields, name);
  const slow = (name: string): string | null => text(`elasticsearch.slowlog.${name}`);
  const source = slow('source');
  return {
    ...nothingSaid,
    timestamp: text('@timestamp'),
    level: text('log.level'),
    logger: text('log.logger'),
    clusterUuid: text('elasticsearch.cluster.uuid'),
    clusterName: text('elasticsearch.cluster.name'),
    nodeId: text('elasticsearch.node.id'),
    nodeName: text('elasticsearch.node.name'),
    target: slow('message'),
    took: slow('took'),
    tookMillis: slow('took_millis'),
    totalHits: slow('total_hits'),
    searchType: slow('search_type'),
    totalShards: slow('total_shards'),
    stats: listOf(fields, 'elasticsearch.slowlog.stats'),
    id: slow('id'),
    routing: slow('routing'),
    traceId: text('trace.id'),
    user: text('user.name') ?? text('user.effective.name'),
    source: source === null ? null : withoutLogEscapes(source),
  };
}
