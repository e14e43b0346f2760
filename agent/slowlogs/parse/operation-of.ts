import { largestInt } from '../../../schemas/slow-operation-bounds.js';
import type { Level, LoggedOperation, Parsed, RawFields } from './logged-operation.js';
import { operationLogged } from './loggers.js';
import { hitCount, targetOf, timestampMicroseconds, tookMilliseconds, wholeNumber } from './values.js';
import type { LocalOffset } from './values.js';

const levels: readonly string[] = ['warn', 'info', 'debug', 'trace'] satisfies Level[];

/**
 * Checks the fields of a format. Names must have the forms that Elasticsearch allows, so that no user's text
 * gets into a field that is not scrubbed, even if somebody forged a line.
 */
export function operationOf(raw: RawFields, localOffset: LocalOffset): Parsed {
  const logged = operationLogged(raw.logger);
  if (logged === undefined) return { is: 'other' };
  const at = timestampMicroseconds(raw.timestamp, localOffset);
  const tookMs = tookMilliseconds(raw.took, raw.tookMillis);
  const target = targetOf(raw.target);
  const level = raw.level?.trim().toLowerCase() ?? '';
  if (at === null) return { is: 'unreadable', reason: 'no timestamp' };
  if (tookMs === null) return { is: 'unreadable', reason: 'no duration' };
  if (target === null) return { is: 'unreadable', reason: 'no index' };
  if (!levels.includes(level)) return { is: 'unreadable', reason: 'no level' };
  const hits = hitCount(raw.totalHits);
  const operation: LoggedOperation = {
    at,
    ...logged,
    level: level as Level,
    clusterUuid: matching(raw.clusterUuid, /^[\w-]{16,32}$/),
    clusterName: matching(raw.clusterName, /^[^\s"\\{}]{1,255}$/),
    nodeId: matching(raw.nodeId, /^[\w-]{16,32}$/),
    nodeName: matching(raw.nodeName, /^(?! )(?:[^\s"\\{}]| (?! |$)){1,255}$/),
    ...target,
    tookMs,
    totalHits: hits.count,
    totalHitsAtLeast: hits.atLeast,
    searchType: matching(raw.searchType, /^[A-Z_]{1,64}$/),
    totalShards: wholeNumber(raw.totalShards, largestInt),
    stats: raw.stats,
    id: present(raw.id),
    routing: present(raw.routing),
    traceId: matching(raw.traceId, /^[0-9a-f]{32}$/),
    user: present(raw.user),
    source: present(raw.source),
  };
  return { is: 'operation', operation };
}

/** Some versions write the word `null` for an absent value. */
const present = (text: string | null): string | null =>
  text === null || text === '' || text === 'null' ? null : text;

const matching = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;
