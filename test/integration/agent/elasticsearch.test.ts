import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { theElasticsearch } from '../../support/elasticsearch.js';

describe('Elasticsearch for tests', () => {
  it('is one shared node of 7.17', async () => {
    const node = await theElasticsearch();
    const { version } = JSON.parse((await node.ask('GET', '/')).text) as { version: { number: string } };
    assert.equal(version.number, '7.17.15');
    assert.equal(await theElasticsearch(), node);
    assert.ok(readdirSync(node.logsFolder).includes('local_index_search_slowlog.json'));
  });
});
