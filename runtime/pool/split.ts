export interface BatchBounds {
  readonly jobs: number;
  /** Sum of the jobs' weights; a heavier job makes a batch of its own. */
  readonly weight: number;
}

/** Cuts jobs into batches within bounds, in their order. */
export function splitIntoBatches<Job>(
  jobs: readonly Job[],
  bounds: BatchBounds,
  weightOf: (job: Job) => number,
): readonly (readonly Job[])[] {
  const batches: Job[][] = [];
  let batch: Job[] = [];
  let weight = 0;
  for (const job of jobs) {
    const own = weightOf(job);
    if (batch.length > 0 && (batch.length >= bounds.jobs || weight + own > bounds.weight)) {
      batches.push(batch);
      batch = [];
      weight = 0;
    }
    batch.push(job);
    weight += own;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
