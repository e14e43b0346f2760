export interface BatchBounds {
  readonly jobs: number;
  /** Sum of the jobs' weights; a heavier job makes a batch of its own. */
  readonly weight: number;
}

/** Jobs of one group, by their places among all. */
export interface JobBatch {
  readonly group: string;
  readonly places: readonly number[];
}

/** Cuts jobs into batches of one group within bounds; the order of a group's jobs stays. */
export function splitIntoBatches<Job>(
  jobs: readonly Job[],
  bounds: BatchBounds,
  weightOf: (job: Job) => number,
  groupOf: (job: Job) => string,
): readonly JobBatch[] {
  const batches: JobBatch[] = [];
  const open = new Map<string, { readonly places: number[]; weight: number }>();
  jobs.forEach((job, place) => {
    const group = groupOf(job);
    const own = weightOf(job);
    const batch = open.get(group);
    if (batch !== undefined && batch.places.length < bounds.jobs && batch.weight + own <= bounds.weight) {
      batch.places.push(place);
      batch.weight += own;
      return;
    }
    const places = [place];
    open.set(group, { places, weight: own });
    batches.push({ group, places });
  });
  return batches;
}
