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
    step_seconds: { ...count, description: 'How long a stretch is, by the range.' },
    from: { ...timestamp, description: 'Whole minutes, so that the range may be a little longer.' },
    to: timestamp,
    interval_seconds: {
      ...nullableCount,
      description: 'From one measurement to the next, the longest in the range; null where there is none.',
    },
    total: {
      ...count,
      description: 'How many nodes or indices there are; `limit` of them are in the answer.',
    },
    series: {
      type: 'array',
      description: 'The one with the highest value first.',
      items: closed({
        id: text,
        name: nullableText,
        points: {
          type: 'array',
          description: 'By time. A stretch in which nothing was collected is left out.',
          items: closed({
            at: timestamp,
            mean: { ...nullableNumber, description: 'Null where nothing could be measured: never 0.' },
            min: nullableNumber,
            max: nullableNumber,
            gap: { ...nullableText, description: 'Why it is null, where that is known.' },
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
            '`rule_not_seen`: what it found is no longer there, but not everything could be evaluated. `no_score`: there was none until then.',
        },
        name: { ...nullableText, description: 'Of the rule, or the node.' },
        before: { ...nullableText, description: 'The colour, or the master, until then.' },
        after: nullableText,
        reason: { ...nullableText, description: 'Of a rule that began.' },
        not_measured: { type: 'array', items: closed({ what: text, reason: text }) },
        silent_seconds: nullableCount,
      }),
    },
    cut: { type: 'boolean', description: 'More happened than is told: ask for a shorter range.' },
  }),
  UnassignedShards: closed({
    cluster_uuid: text,
    as_of: {
      ...nullableTimestamp,
      description: 'Of the snapshot; null where none was collected in the last 7 days.',
    },
    stale: { type: 'boolean' },
    groups: {
      type: 'array',
      description: 'Those with primaries first.',
      items: closed({
        reason: nullableText,
        can_allocate: nullableText,
        recommendation_code: nullableText,
        recommendation: { ...nullableText, description: 'What to do, as one of them has it.' },
        explanation: { ...nullableText, description: 'What the cluster says of one of them.' },
        shards: count,
        primaries: {
          ...count,
          description: 'How many of them: without its primary, a shard answers nothing.',
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
        'By time. A stretch in which the cluster was not heard of, and nothing arrived, is left out.',
      items: closed({
        at: timestamp,
        search: { ...nullableCount, description: 'Null where it is not known, as `search_gap` says.' },
        indexing: { ...nullableCount, description: 'Null where it is not known, as `indexing_gap` says.' },
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
      description: 'Those that took most time together first.',
      items: closed({
        fingerprint: { type: 'string', pattern: '^[0-9a-f]{16}$' },
        kind: { enum: [...slowOperationKinds] },
        phase: { enum: [...slowOperationPhases] },
        shape: {
          ...nullableText,
          description: 'The query without the values that it looks for; null where there is no text.',
        },
        indices: { type: 'array', description: 'Ten of them at most.', items: text },
        count,
        sum_ms: milliseconds,
        p50_ms: { ...milliseconds, description: 'Approximate, as `p95_ms` and `p99_ms`.' },
        p95_ms: milliseconds,
        p99_ms: milliseconds,
        max_ms: milliseconds,
        latest_at: nullableTimestamp,
      }),
    },
  }),
};
