import { createHash } from 'node:crypto';
import type { ClusterHealth } from '../../schemas/generated/cluster-health.js';
import { explainedSilence } from '../../schemas/snapshots/silences.js';
import type { Health } from './rules/score.js';

export interface ClusterIdentity {
  readonly workspace: string;
  readonly cluster_uuid: string;
  readonly cluster_name: string | null;
  readonly cluster_version: string | null;
}

export function healthRecord(
  identity: ClusterIdentity,
  health: Health,
  status: string | null,
  at: number,
): ClusterHealth {
  return {
    workspace: identity.workspace,
    cluster_uuid: identity.cluster_uuid,
    cluster_name: identity.cluster_name,
    cluster_version: identity.cluster_version,
    at,
    status,
    score: health.score,
    floored: health.floored,
    deductions: health.deductions.map(({ code, category, points, pointsAlone, reason }) => ({
      code,
      category,
      points,
      points_alone: pointsAlone,
      reason,
    })),
    not_measured: health.notMeasured.map(({ what, reason }) => ({
      what,
      reason: what === 'score' ? explainedSilence(reason) : reason,
    })),
  };
}

/**
 * The digest of what justifies a record between two regular ones if it changes: the score, why there is none,
 * the status, or the deductions.
 */
export function digestOf({ status, score, deductions, not_measured: missing }: ClusterHealth): string {
  const unscored = missing.find(({ what }) => what === 'score')?.reason ?? null;
  const told = JSON.stringify([
    status,
    score,
    deductions.map(({ code, points }) => [code, points]),
    ...(unscored === null ? [] : [unscored]),
  ]);
  return createHash('sha256').update(told).digest('hex').slice(0, 16);
}
