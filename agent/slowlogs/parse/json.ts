import { listed, readBody } from './body.js';
import { textOf, type Fields } from './line-fields.js';
import { nothingSaid, type RawFields } from './logged-operation.js';
import { operationLogged } from './loggers.js';
import { withoutLogEscapes } from './unescape.js';

/** An entry of a 7.x JSON log. 7.0 wrote all of it into `message`, as in a plain log. */
export function readJson(fields: Fields): RawFields {
  const text = (name: string): string | null => textOf(fields, name);
  const message = text('message') ?? '';
  const head = {
    timestamp: text('timestamp'),
    level: text('level'),
    logger: text('component'),
    clusterUuid: text('cluster.uuid'),
    clusterName: text('cluster.name'),
    nodeId: text('node.id'),
    nodeName: text('node.name'),
  };
  if (text('took') === null) {
    const logged = operationLogged(head.logger);
    return { ...(logged === undefined ? nothingSaid : readBody(message, logged.kind)), ...head };
  }
  return {
    ...nothingSaid,
    ...head,
    target: message,
    took: text('took'),
    tookMillis: text('took_millis'),
    totalHits: text('total_hits'),
    searchType: text('search_type'),
    totalShards: text('total_shards'),
    stats: listOf(fields, 'stats'),
    id: text('id'),
    routing: text('routing'),
    traceId: text('trace.id'),
    source: text('source'),
  };
}

/** A list as an array, or as the text `["a", "b"]` (7.17; escaped once more from 8.0 on) or `[a, b]`. */
export function listOf(fields: Fields, name: string): string[] {
  const value = fields[name];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').slice(0, 20);
  const text = withoutLogEscapes(textOf(fields, name)?.trim() ?? '');
  // Elasticsearch joins them with `", "` and escapes none of them (ESLogMessage.asJsonArray).
  const quoted = /^\["([\s\S]*)"\]$/.exec(text)?.[1];
  return quoted === undefined ? listed(text) : quoted.split('", "').slice(0, 20);
}
