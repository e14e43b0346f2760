export interface BatchBounds {
  readonly jobs: number;
  /** The sum of the jobs' weights; a heavier job makes a batch of its own. */
  readonly weight: number;
}

/** Jobs of one group, by their index among all jobs. */
export interface JobBatch {
  readonly group: string;
  readonly indices: readonly number[];
}

/** Splits jobs into batches of one group within the bounds, and keeps the order of a group's jobs. */
export function splitIntoBatches<Job>(
  jobs: readonly Job[],
  bounds: BatchBounds,
  weightOf: (job: Job) => number,
  groupOf: (job: Job) => string,
): readonly JobBatch[] {
  const batches: JobBatch[] = [];
  const open = new Map<string, { readonly indices: number[]; weight: number }>();
  jobs.forEach((job, index) => {
    const group = groupOf(job);
    const own = weightOf(job);
    const batch = open.get(group);
    if (batch !== undefined && batch.indices.length < bounds.jobs && batch.weight + own <= bounds.weight) {
      batch.indices.push(index);
      batch.weight += own;
      return;
    }
    const indices = [index];
    open.set(group, { indices, weight: own });
    batches.push({ group, indices });
  });
  return batches;
}
