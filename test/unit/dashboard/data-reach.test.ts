import assert from 'node:assert/strict';
import { behindOf, restsInTables } from '../../../dashboard/src/shell/data-reach.js';
import type { Stage } from '../../../dashboard/src/shared/stage-status.js';

const stageOf = (topic: string, lag_seconds: number | null): Stage => ({
  ...{ stage: topic, topic, group: 'g', state: 'running', members: 1, lag_records: 0, lag_seconds },
  ...{ unknown: null, waits_for: null, appended_last_minute: 0, dead_letters: 0, partitions: [] },
  ...{ errors_last_minute: 0, errors_unknown: null },
});

describe('how far the data of a page is behind', () => {
  const stages = [
    stageOf('scoring.requests', 2),
    stageOf('scoring.results', 40),
    stageOf('ingest.events', 0),
    stageOf('ingest.spans', null),
    stageOf('clusters.snapshots', 7),
  ];

  it('is the largest lag on its way, and not that of any other way', () => {
    assert.equal(behindOf(['/api/v1/results'], stages), 40);
    assert.equal(behindOf(['/api/v1/results/{task_id}', '/api/v1/events'], stages), 40);
    assert.equal(behindOf(['/api/v1/events/series'], stages), 0);
    assert.equal(behindOf(['/api/v1/clusters/{cluster_uuid}/nodes'], stages), 7);
  });

  it('is unknown, and never 0, if a lag is unknown or no stage is there', () => {
    assert.equal(behindOf(['/api/v1/traces'], stages), null);
    assert.equal(behindOf(['/api/v1/applications', '/api/v1/results'], stages), null);
    assert.equal(behindOf(['/api/v1/results'], []), null);
  });

  it('is asked only for data from tables', () => {
    assert.deepEqual(
      ['/api/v1/results/trends', '/api/v1/keys', '/api/v1/resultsx', '/api/v1/pipeline'].map(restsInTables),
      [true, false, false, false],
    );
  });
});
