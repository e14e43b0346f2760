import assert from 'node:assert/strict';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentConfig } from '../../../../agent/config.js';
import { collectorsComponent } from '../../../../agent/collectors/collectors-component.js';
import { liveConfig } from '../../../../agent/live-config.js';
import { createSlowLogsComponent } from '../../../../agent/slowlogs/slow-logs-component.js';
import { parseSlowOperation, type SlowOperationItem } from '../../../../schemas/slow-operations.js';
import type { ElasticsearchNode } from '../../../../stack/elasticsearch/elasticsearch.js';
import { agentContext, memoryOutbox } from '../../../support/agent-components.js';
import { skipUnlessTested, theElasticsearch } from '../../../support/elasticsearch.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const index = 'slow-logs-part';
const secret = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';

describe('slow logs that a real Elasticsearch writes', function () {
  const folder = temporaryFolder();
  let node: ElasticsearchNode;
  before(async function () {
    await skipUnlessTested(this, '7.17.15');
    node = await theElasticsearch();
  });
  after(async () => {
    if ((node as ElasticsearchNode | undefined) !== undefined) await ask('DELETE', `/${index}`);
  });

  async function ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const init = { method, headers: { 'content-type': 'application/json', ...headers } };
    return fetch(`${node.url}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  }
  const search = (query: object, opaqueId: string): Promise<Response> =>
    ask('POST', `/${index}/_search`, { query }, { 'X-Opaque-Id': opaqueId });

  it('arrive scrubbed and once, through a rotation and a restart of the agent', async () => {
    await ask('PUT', `/${index}`, {
      settings: {
        number_of_shards: 1,
        number_of_replicas: 0,
        'index.search.slowlog.threshold.query.warn': '0ms',
        'index.indexing.slowlog.threshold.index.info': '0ms',
      },
    });
    const integration = join(folder(), 'integration.json');
    const { hostname, port } = new URL(node.url);
    const slowlog = { enabled: true, logDirectories: [node.logsFolder] };
    writeFileSync(integration, JSON.stringify({ service: 'elasticsearch', host: hostname, port, slowlog }));
    const outbox = memoryOutbox();
    const config = liveConfig(
      agentConfig.parse({ AGENT_FOLDER: folder(), AGENT_INTEGRATION_FILE: integration }),
    );
    const context = agentContext({ outbox, config });
    // Only the collectors ask for the cluster's identity.
    const collectors = await collectorsComponent.start(context);
    const start = () => createSlowLogsComponent(100).start(context);
    const items = (): readonly SlowOperationItem[] =>
      outbox.taken
        .filter(({ dataset }) => dataset === 'slow-operations')
        .flatMap((put) => put.items as SlowOperationItem[])
        .filter((item) => item.index === index);
    const untilArrived = async (count: number): Promise<void> => {
      await until(`${count} entries have arrived`, () => items().length >= count);
      assert.equal(items().length, count);
    };

    const component = await start();
    await ask('PUT', `/${index}/_doc/alice@example.com?refresh=true`, { name: 'Alice', password: secret });
    await search({ match: { note: `Bearer ${secret}` } }, 'bob@example.com');
    await search({ bool: { must: [{ term: { 'password.keyword': { value: secret } } }] } }, 'a');
    await untilArrived(3);
    const current =
      readdirSync(node.logsFolder).find((name) => name.endsWith('_index_search_slowlog.json')) ?? '';
    renameSync(join(node.logsFolder, current), join(node.logsFolder, current.replace('.json', '-1.json')));
    await search({ query_string: { query: `password:${secret} AND a` } }, 'b');
    await untilArrived(4);
    await component.stop();
    await search({ match: { note: `https://bob:${secret}@example.com` } }, 'c');
    const again = await start();
    try {
      await untilArrived(5);
      await sleep(500);
      await untilArrived(5);
    } finally {
      await again.stop();
      await collectors.stop();
      renameSync(join(node.logsFolder, current.replace('.json', '-1.json')), join(node.logsFolder, current));
    }

    const text = JSON.stringify(items());
    for (const hidden of [secret, 'alice', 'bob', 'Alice']) assert.ok(!text.includes(hidden), text);
    for (const item of items()) assert.ok('item' in parseSlowOperation(item));
    assert.equal(new Set(items().map(({ id }) => id)).size, 5);
    const indexing = items().find(({ kind }) => kind === 'indexing');
    assert.match(indexing?.document_id ?? '', /^hmac-/);
    assert.ok((indexing?.source_bytes ?? 0) > 50);
    const queries = items().flatMap(({ query }) => (query === null ? [] : [query]));
    assert.equal(queries.length, 4);
    for (const query of queries) assert.match(query, /\[redacted\]/);
  });
});
