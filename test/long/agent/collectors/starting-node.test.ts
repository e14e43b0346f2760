import assert from 'node:assert/strict';
import type { ElasticsearchNode } from '../../../../stack/elasticsearch/elasticsearch.js';
import { elasticPassword, skipUnlessTested, startElasticsearch } from '../../../support/elasticsearch.js';
import { watchNode, type NodeWatch } from '../../../support/node-watch.js';
import { askDirectly } from '../../../support/search-clients.js';
import { until } from '../../../support/until.js';

const elastic = `Basic ${Buffer.from(`elastic:${elasticPassword}`).toString('base64')}`;
const minute = 60_000;
/** How much faster the watch's clock runs: the node starts within five minutes of that clock. */
const speed = 12;
/** Longer than the tests run, so no reprobe happens in them. */
const reprobeMs = 600 * minute;
/** The node waits this long for another data node before it reads its own indices; until then it knows no user. */
const slowToRecover = { 'gateway.expected_data_nodes': '2', 'gateway.recover_after_time': '8s' };

describe('a real node that refuses good credentials while it starts (8.14 with security)', function () {
  let node: ElasticsearchNode;
  let credentials: readonly (readonly [string, object])[];

  before(async function () {
    await skipUnlessTested(this, '8.14.1');
    node = await startElasticsearch({
      version: '8.14.1',
      password: elasticPassword,
      settings: slowToRecover,
      heap: '400m',
    });
    const ask = (method: string, path: string, body: object): Promise<unknown> =>
      askDirectly(node.url, method, path, body, elastic);
    const role = { cluster: ['monitor'], indices: [{ names: ['*'], privileges: ['monitor'] }] };
    await until('it has recovered, and takes a role', () =>
      ask('PUT', '/_security/role/watching', role).then(
        () => true,
        () => false,
      ),
    );
    const user = { username: 'watcher', password: 'watcher-of-the-tests' };
    await ask('PUT', '/_security/user/watcher', { password: user.password, roles: ['watching'] });
    const key = (await ask('POST', '/_security/api_key', {
      name: 'watching',
      role_descriptors: { watching: role },
    })) as { readonly encoded: string };
    credentials = [
      ['a password', user],
      ['an API key', { apiKey: key.encoded }],
    ];
  });

  const refusals = ({ calls }: NodeWatch): number => calls.filter(({ outcome }) => outcome === '401').length;
  const told = ({ warnings }: NodeWatch): number =>
    warnings.filter(({ text }) => text.includes('refuses the credentials')).length;
  const healths = ({ items }: NodeWatch): number =>
    items.filter(({ section }) => section === 'health').length;

  it('stays watched, with a password or an API key, without a report of refused credentials', async () => {
    const watches = await Promise.all(
      credentials.map(([, given]) => watchNode(node, given, { speed, reprobeMs })),
    );
    try {
      for (const watch of watches) await watch.until(() => healths(watch) >= 1);
      await node.kill9();
      for (const watch of watches) await watch.until(() => watch.watch.status().state === 'unreachable');
      const before = watches.map(healths);
      await node.start();
      for (const [index, watch] of watches.entries()) {
        await watch.until(() => healths(watch) > (before[index] ?? 0));
        assert.ok(refusals(watch) > 0, `${credentials[index]?.[0]}: it did refuse them`);
        assert.equal(told(watch), 0);
        assert.equal(watch.watch.status().state, 'watching');
      }
    } finally {
      await Promise.all(watches.map((watch) => watch.stop()));
    }
  });

  it('is watched two minutes later by an agent that starts meanwhile, which says once that it was refused', async () => {
    const [, user] = credentials[0] ?? assert.fail();
    await node.kill9();
    const started = node.start();
    const isUp = (): Promise<boolean> =>
      fetch(node.url).then(
        ({ status }) => status === 401,
        () => false,
      );
    await until('it answers', isUp);
    const watch = await watchNode(node, user, { speed: speed / 3, reprobeMs });
    try {
      await watch.until(() => healths(watch) > 0);
      assert.ok(refusals(watch) > 0, 'it did refuse them');
      assert.ok(told(watch) <= 1);
    } finally {
      await watch.stop();
      await started;
    }
  });
});
