import type { Pipeline } from '../../test/support/pipeline.js';
import type { ComparisonResult } from '../comparison.js';
import { seedCluster } from '../screenshots/seed.js';
import { measurePageQueries } from './page-queries.js';
import { measurePaints } from './paints.js';
import { loadVolumes } from './volumes.js';

const volumes = { spans: 10_000_000, results: 1_000_000, events: 5_000_000 };
const ofVolumes = '10 M spans, 1 M results, 5 M events';

/** The dashboard on a day with many rows: how long its requests take, and when its pages are painted. */
export async function measureDashboard(
  pipeline: Pipeline,
  workspace: string,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  // First, so that its many small parts are merged by the time it is queried.
  await seedCluster(pipeline);
  await loadVolumes(pipeline, workspace, volumes, say);
  return [
    await measurePageQueries(pipeline, workspace, ofVolumes, say),
    ...(await measurePaints(pipeline, workspace, ofVolumes, say)),
  ];
}
