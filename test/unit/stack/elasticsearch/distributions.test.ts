import assert from 'node:assert/strict';
import { whyNotTested } from '../../../../stack/elasticsearch/distributions.js';

describe('the versions of Elasticsearch that are tested', () => {
  it('always include the smallest one, and a large one only on request', async () => {
    assert.equal(await whyNotTested('7.17.15', {}), undefined);
    assert.match((await whyNotTested('8.14.1', {})) ?? '', /npm run test:long/);
    assert.doesNotMatch((await whyNotTested('9.4.3', { TEST_ES: 'all' })) ?? '', /test:long/);
  });
});
