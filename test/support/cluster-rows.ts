import assert from 'node:assert/strict';

/** The columns of a row of `cluster_health` that the tests read. */
export interface ScoreRow {
  readonly score: number | null;
  readonly floored: boolean;
  readonly 'deductions.code': readonly string[];
  readonly 'deductions.points': readonly number[];
}

/** The typed columns of a row of `cluster_nodes` that the tests read. */
export interface NodeRow extends Readonly<Record<string, unknown>> {
  readonly restarted: boolean | null;
  readonly 'thread_pools.pool': readonly string[];
  readonly 'thread_pools.rejected': readonly number[];
  readonly 'thread_pools.rejections': readonly (number | null)[];
  readonly 'circuit_breakers.trips': readonly (number | null)[];
}

/** The value of one name in parallel lists, such as `rejected` of the pool `analyze`. */
export function ofName<Value>(names: readonly string[], values: readonly Value[], name: string): Value {
  const index = names.indexOf(name);
  assert.ok(index >= 0, name);
  return values[index] as Value;
}

/** The first score of a cluster from which this many points are deducted for this code. */
export const scoresWith = (uuid: string, code: string, points: number): string =>
  `SELECT * FROM telltale.cluster_health WHERE cluster_uuid = '${uuid}'
   AND score IS NOT NULL AND arrayExists((code, points) -> code = '${code}' AND points = ${points}, deductions.code, deductions.points)
   ORDER BY at LIMIT 1`;

/** Returns the row; asserts that its score and deductions add up to 100, unless the score is floored. */
export function checked(row: ScoreRow): ScoreRow {
  const sum = row['deductions.points'].reduce((total, points) => total + points, 0);
  if (!row.floored) assert.equal(100 - sum, row.score);
  return row;
}
