import { circuitBreakers } from './circuit-breakers.js';
import { cpu } from './cpu.js';
import { disk } from './disk.js';
import { fileDescriptors } from './file-descriptors.js';
import { garbageCollection } from './garbage-collection.js';
import { heap } from './heap.js';
import { indexingFailures, indexingThrottled } from './indexing.js';
import { masterChanges } from './master-changes.js';
import { noMaster } from './master.js';
import { nodesLeft } from './nodes-left.js';
import { nodesRestarted } from './nodes-restarted.js';
import { nodesSilent } from './nodes-silent.js';
import { pendingTasks } from './pending-tasks.js';
import { primaries } from './primaries.js';
import { replicas } from './replicas.js';
import type { Category, Deduction, NotMeasured, Rule } from './rule.js';
import type { Situation } from './situation.js';
import { threadPools } from './thread-pools.js';

const rules: readonly Rule[] = [
  noMaster,
  primaries,
  replicas,
  nodesLeft,
  nodesSilent,
  disk,
  heap,
  garbageCollection,
  circuitBreakers,
  threadPools,
  pendingTasks,
  masterChanges,
  nodesRestarted,
  cpu,
  fileDescriptors,
  indexingThrottled,
  indexingFailures,
];

/** The most points of one category: many small problems of one kind must not weigh more than unavailable data. */
const categoryBounds: Readonly<Record<Category, number>> = {
  availability: 60,
  disk: 30,
  memory: 30,
  'thread-pools': 15,
  other: 15,
};

interface CountedDeduction extends Deduction {
  readonly category: Category;
  /** Points that it would cost alone; more than `points` if its category's bound was reached. */
  readonly pointsAlone: number;
}

export interface Health {
  /** 0–100. Null while it is unknown whether the cluster's data is available; `notMeasured` says why. */
  readonly score: number | null;
  /**
   * The costliest first. Their points sum to 100 − score, or to more if the score is floored at 0. If there
   * is no score, they are still the known problems.
   */
  readonly deductions: readonly CountedDeduction[];
  readonly floored: boolean;
  readonly notMeasured: readonly NotMeasured[];
}

/** The score of a cluster with its reasons. Pure. */
export function evaluate(situation: Situation): Health {
  const left = { ...categoryBounds };
  const notMeasured: NotMeasured[] = [];
  const found: (Deduction & { category: Category })[] = [];
  for (const rule of rules) {
    const verdict = rule.evaluate(situation);
    notMeasured.push(...verdict.notMeasured);
    for (const deduction of verdict.deductions)
      // Points depend on what a cluster reports, and some reports are fractions.
      found.push({ ...deduction, points: Math.ceil(deduction.points), category: rule.category });
  }
  // Array.sort is stable: deductions with equal points stay in the order of the rules, also in a replay.
  const deductions = found
    .toSorted((one, other) => other.points - one.points)
    .map(({ points: pointsAlone, ...deduction }) => {
      const points = Math.min(pointsAlone, left[deduction.category]);
      left[deduction.category] -= points;
      return { ...deduction, points, pointsAlone };
    });
  const sum = deductions.reduce((total, { points }) => total + points, 0);
  const unscored = whyUnscored(situation);
  if (unscored !== undefined) notMeasured.push({ what: 'score', reason: unscored });
  return {
    score: unscored === undefined ? Math.max(0, 100 - sum) : null,
    deductions,
    floored: sum > 100,
    notMeasured: merged(notMeasured),
  };
}

/** Why there is no score. Without its heaviest rules, it would rise when the cluster stops answering. */
function whyUnscored({ cluster }: Situation): string | undefined {
  if (!cluster.known) {
    return `No score, as the cluster's own health has ${cluster.reason.replace(/^not /, 'not been ')}`;
  }
  const { status, noMaster: without } = cluster.value;
  return status === null && !without ? 'No score, as the cluster reports no status' : undefined;
}

/** One entry for each subject, in a stable order. */
function merged(entries: readonly NotMeasured[]): readonly NotMeasured[] {
  const reasons = new Map(entries.map(({ what, reason }) => [what, reason]));
  return [...reasons]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, reason]) => ({ what, reason }));
}
