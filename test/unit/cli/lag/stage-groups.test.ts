import assert from 'node:assert/strict';
import { stageGroups } from '../../../../cli/lag/stage-groups.js';
import { pipeline } from '../../../../cli/pipeline.js';

describe('the groups of the stages', () => {
  it('has one for each processor and each sink, on the topic that it consumes', () => {
    const groups = new Map(stageGroups(pipeline).map(({ groupId, topic }) => [groupId, topic.name]));
    const stages = pipeline.filter(({ role }) => role === 'processors' || role === 'sinks');
    assert.equal(groups.size, stages.length);
    assert.equal(groups.get('telltale.sink.events'), 'ingest.events');
    assert.equal(groups.get('telltale.cluster-health'), 'clusters.snapshots');
    assert.equal(groups.get('telltale.score-metrics-realtime'), 'scoring.requests.realtime');
  });
});
