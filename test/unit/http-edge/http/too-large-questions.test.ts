import assert from 'node:assert/strict';
import { TelltaleError } from '../../../../runtime/errors.js';
import { edgeDocument } from '../../../../schemas/openapi/edge-document.js';
import { exampleClusterUuid } from '../../../../schemas/openapi/cluster-examples.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../../support/edge-in-memory.js';

const query = 'metric=all&application=a';

const paths = Object.entries(edgeDocument.paths).flatMap(([path, { get }]) => {
  const isRanged = JSON.stringify(get?.parameters ?? []).includes('RangeFrom');
  return isRanged ? [path] : [];
});

describe('a question over a range that is too expensive', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
    const fails = (): Promise<never> => Promise.reject(new TelltaleError('QUERY_TOO_LARGE'));
    const { clusters, results, storedEvents, applications, traces } = edge.ports;
    for (const reader of [clusters, results, storedEvents, applications, traces])
      Object.assign(reader, Object.fromEntries(Object.keys(reader).map((read) => [read, fails])));
  });
  after(() => edge.stop());

  for (const path of paths)
    it(`is told to shorten it: ${path}`, async () => {
      const of = path.replace('{cluster_uuid}', exampleClusterUuid);
      const answer = await edge.get(`${of}?${query}`);
      const { errors } = (await answer.json()) as { errors?: readonly { pointer: string }[] };
      assert.deepEqual([answer.status, errors?.[0]?.pointer], [422, '/from']);
    });

  it('is answered 503 if it has no range', async () => {
    const answer = await edge.get(`/api/v1/clusters/${exampleClusterUuid}/nodes`);
    assert.equal(answer.status, 503);
  });
});
