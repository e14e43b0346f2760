import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import type { Sink } from '../../runtime/sink.js';
import type { ClusterHealth } from '../../schemas/generated/cluster-health.js';
import { clusterHealth } from '../../topics/cluster-figures.js';

/** clusters.health → telltale.cluster_health: the history of each score, with its reasons. */
export const clusterHealthSink: Sink<ClusterHealth> = {
  name: 'cluster-health',
  from: clusterHealth,
  table: 'telltale.cluster_health',
  row: ({ value: health }) => ({
    workspace: health.workspace,
    cluster_uuid: health.cluster_uuid,
    cluster_name: health.cluster_name,
    cluster_version: health.cluster_version,
    at: timestamp(health.at * 1_000),
    status: health.status,
    score: health.score,
    floored: health.floored,
    'deductions.code': health.deductions.map(({ code }) => code),
    'deductions.category': health.deductions.map(({ category }) => category),
    'deductions.points': health.deductions.map(({ points }) => points),
    'deductions.points_alone': health.deductions.map(({ points_alone: alone }) => alone),
    'deductions.reason': health.deductions.map(({ reason }) => reason),
    'not_measured.what': health.not_measured.map(({ what }) => what),
    'not_measured.reason': health.not_measured.map(({ reason }) => reason),
  }),
};
