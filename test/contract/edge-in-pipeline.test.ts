import assert from 'node:assert/strict';
import { startPipeline, type Pipeline } from '../support/pipeline.js';
import { atScale } from '../support/scale.js';
import { checkContract } from './edge-contract.js';

const requests = atScale(300, 3_000);

describe('the edge of a whole pipeline', () => {
  let pipeline: Pipeline;

  before(async () => {
    pipeline = await startPipeline('contract');
  });

  after(async () => pipeline.stop());

  it('answers generated requests, valid and not, as its document says', async () => {
    const report = await checkContract({ url: pipeline.edge.url, key: pipeline.key, requests });
    assert.equal(report.requests, requests);
    for (const status of [200, 202, 400, 401, 404, 422]) {
      assert.ok((report.byStatus.get(status) ?? 0) > 0, `nothing was answered ${status}`);
    }
    assert.equal((await fetch(`${pipeline.edge.url}/livez`)).status, 200);
  });
});
