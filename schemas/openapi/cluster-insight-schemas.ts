import { eventKinds } from '../cluster-rows/event-kinds.js';
import { seriesSubjects } from '../cluster-rows/series-figures.js';
import { slowOperationKinds, slowOperationPhases } from '../slow-operations.js';
import type { Schema } from './document-types.js';
import {
  closed,
  count,
  milliseconds,
  nullableCount,
  nullableNumber,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from './schema-kinds.js';

/** The answers about a cluster over time, and about its problems. */
export const clusterInsightSchemas: Readonly<Record<string, Schema>> = {
  ClusterSeries: closed({
    cluster_uuid: text,
    of: { enum: [...seriesSubjects] },
    figure: text,
    step_seconds: { ...count, description: 'Length of an interval, depending on the range.' },
    from: { ...timestamp, description: 'Whole minutes, so the range may be a little longer.' },
    to: timestamp,
    interval_seconds: {
      ...nullableCount,
      description: 'Longest time between two measurements in the range; null if there is none.',
    },
    total: {
      ...count,
      description: 'How many nodes or indices there are; `limit` of them are in the answer.',
    },
    series: {
      type: 'array',
      description: 'Highest value first.',
      items: closed({
        id: text,
        name: nullableText,
        points: {
          type: 'array',
          description: 'By time. Intervals in which nothing was collected are omitted.',
          items: closed({
            at: timestamp,
            mean: { ...nullableNumber, description: 'Null if nothing could be measured: never 0.' },
            min: nullableNumber,
            max: nullableNumber,
            gap: { ...nullableText, description: 'Why it is null, if known.' },
          }),
        },
      }),
    },
  }),
  ClusterTimeline: closed({
    cluster_uuid: text,
    from: timestamp,
    to: timestamp,
    events: {
      type: 'array',
      description: 'Newest first, 500 at most.',
      items: closed({
        at: timestamp,
        what: {
          enum: [...eventKinds],
          description:
            '`rule_not_seen`: its finding is gone, but not everything could be evaluated. `no_score`: there was no score until then.',
        },
        name: { ...nullableText, description: 'Name of the rule or the node.' },
        before: { ...nullableText, description: 'The colour or the master before.' },
        after: nullableText,
        reason: { ...nullableText, description: 'Of a rule that started to apply.' },
        not_measured: { type: 'array', items: closed({ what: text, reason: text }) },
        silent_seconds: nullableCount,
      }),
    },
    cut: {
      type: 'boolean',
      description: 'There are more events than those listed: ask for a shorter range.',
    },
  }),
  UnassignedShards: closed({
    cluster_uuid: text,
    as_of: {
      ...nullableTimestamp,
      description: 'Time of the snapshot; null if none was collected in the last 7 days.',
    },
    stale: { type: 'boolean' },
    groups: {
      type: 'array',
      description: 'Those with primaries first.',
      items: closed({
        reason: nullableText,
        can_allocate: nullableText,
        recommendation_code: nullableText,
        recommendation: { ...nullableText, description: 'What to do, according to one of the shards.' },
        explanation: { ...nullableText, description: 'The cluster’s explanation for one of the shards.' },
        shards: count,
        primaries: {
          ...count,
          description: 'How many of them are primaries: without its primary, a shard answers nothing.',
        },
        index_count: count,
        indices: { type: 'array', description: 'Ten of them at most.', items: text },
        since: nullableTimestamp,
        failed_attempts: nullableNumber,
      }),
    },
  }),
  SlowOperationSummary: closed({
    cluster_uuid: text,
    from: timestamp,
    to: timestamp,
    step_seconds: count,
    points: {
      type: 'array',
      description:
        'By time. Intervals in which no agent reported on the cluster and nothing arrived are omitted.',
      items: closed({
        at: timestamp,
        search: { ...nullableCount, description: 'Null if not known; `search_gap` says why.' },
        indexing: { ...nullableCount, description: 'Null if not known; `indexing_gap` says why.' },
        search_gap: {
          ...nullableText,
          description:
            'Why it is not known: no threshold is set, the logs are not read, no agent reported, or `kind` leaves it out.',
        },
        indexing_gap: nullableText,
      }),
    },
    total: { ...count, description: 'How many groups there are; the answer has 100 at most.' },
    groups: {
      type: 'array',
      description: 'Those with the largest total time first.',
      items: closed({
        fingerprint: { type: 'string', pattern: '^[0-9a-f]{16}$' },
        kind: { enum: [...slowOperationKinds] },
        phase: { enum: [...slowOperationPhases] },
        shape: {
          ...nullableText,
          description: 'The query without the values that it looks for; null if there is no text.',
        },
        indices: { type: 'array', description: 'Ten of them at most.', items: text },
        count,
        sum_ms: milliseconds,
        p50_ms: { ...milliseconds, description: 'Approximate, like `p95_ms` and `p99_ms`.' },
        p95_ms: milliseconds,
        p99_ms: milliseconds,
        max_ms: milliseconds,
        latest_at: nullableTimestamp,
      }),
    },
  }),
};
