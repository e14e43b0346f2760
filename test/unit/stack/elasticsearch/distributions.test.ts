import assert from 'node:assert/strict';
import { whyNotTested } from '../../../../stack/elasticsearch/distributions.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the versions of Elasticsearch that are tested', () => {
  const cache = temporaryFolder();

  it('are the smallest always, and a large one only where it is cached or asked for', async () => {
    assert.equal(await whyNotTested('7.17.15', { TELLTALE_CACHE: cache() }), undefined);
    assert.match(
      (await whyNotTested('8.14.1', { TELLTALE_CACHE: cache() })) ?? '',
      /not in the cache \(759 MB\)/,
    );
    const asked = { TELLTALE_CACHE: cache(), TEST_ES: 'all' };
    assert.doesNotMatch((await whyNotTested('9.4.3', asked)) ?? '', /cache/);
  });
});
