import assert from 'node:assert/strict';
import { sections } from '../../../../agent/collectors/sections/sections.js';
import type { SectionName, Snapshot, SnapshotOf } from '../../../../schemas/snapshots.js';
import type { ElasticsearchNode } from '../../../../stack/elasticsearch/elasticsearch.js';
import { elasticPassword, skipUnlessTested, theSecureElasticsearch } from '../../../support/elasticsearch.js';
import { watchNode, type NodeWatch } from '../../../support/node-watch.js';
import { askDirectly } from '../../../support/search-clients.js';

const elastic = `Basic ${Buffer.from(`elastic:${elasticPassword}`).toString('base64')}`;
const minute = 60_000;
/** One minute of the watch takes a third of a second here. */
const speed = 180;
const reprobeMs = 5 * minute;

/** The actions of the cluster privilege `monitor` that the agent uses. */
const actions = [
  'cluster:monitor/main',
  'cluster:monitor/health',
  'cluster:monitor/state',
  'cluster:monitor/stats',
  'cluster:monitor/nodes/info',
  'cluster:monitor/nodes/stats',
  'cluster:monitor/settings',
  'cluster:monitor/task',
  'cluster:monitor/tasks/lists',
  'cluster:monitor/allocation/explain',
] as const;

const allIndices = [{ names: ['*'], privileges: ['monitor'], allow_restricted_indices: false }];

describe('the watch of a real cluster while privileges come and go (8.14 with security)', function () {
  let node: ElasticsearchNode;
  const ask = (method: string, path: string, body?: object): Promise<unknown> =>
    askDirectly(node.url, method, path, body, elastic);
  const grant = (cluster: readonly string[], indices: readonly object[]): Promise<unknown> =>
    ask('PUT', '/_security/role/watching', { cluster, indices });
  const user = { username: 'watcher', password: 'watcher-of-the-tests' };

  before(async function () {
    await skipUnlessTested(this, '8.14.1');
    node = await theSecureElasticsearch();
    await ask('PUT', '/watched-privileges', { settings: { number_of_replicas: 1 } });
    await grant(['monitor'], allIndices);
    await ask('PUT', '/_security/user/watcher', { password: user.password, roles: ['watching'] });
  });

  after(async () => {
    if ((node as ElasticsearchNode | undefined) === undefined) return;
    await ask('DELETE', '/watched-privileges');
    await ask('DELETE', '/_security/user/watcher');
    await ask('DELETE', '/_security/role/watching');
  });

  const told = (items: readonly Snapshot[]): SnapshotOf<'capabilities'> | undefined =>
    items.findLast((item): item is SnapshotOf<'capabilities'> => item.section === 'capabilities');
  const wasTried = ({ capability }: NodeWatch): boolean =>
    sections.every(({ name }) => capability(name).state !== 'waiting');

  const lacking: readonly {
    readonly what: string;
    readonly cluster: readonly string[];
    readonly indices: readonly object[];
    readonly stops: readonly SectionName[];
    readonly says: RegExp;
  }[] = [
    { what: 'nothing', cluster: actions, indices: allIndices, stops: [], says: /^/ },
    ...(
      [
        ['cluster:monitor/allocation/explain', ['allocation_explain']],
        ['cluster:monitor/stats', ['cluster_stats']],
        ['cluster:monitor/settings', ['watermarks']],
        ['cluster:monitor/nodes/info', ['nodes', 'topology']],
        // Granting an action also grants all that start with its name.
        ['cluster:monitor/task', ['pending_tasks', 'tasks']],
      ] as const
    ).map(([action, stops]) => ({
      what: action,
      cluster: actions.filter((each) => !each.startsWith(action)),
      indices: allIndices,
      stops,
      says: new RegExp(`the action ${action}[\\w/]* is not allowed; the cluster privileges [\\w,]*monitor`),
    })),
    {
      what: 'monitor on indices',
      cluster: actions,
      indices: [],
      stops: ['indices', 'shards', 'recovery', 'data_streams'],
      says: /is not allowed; the index privileges [\w,]*monitor/,
    },
  ];

  for (const { what, cluster, indices, stops, says } of lacking) {
    it(`goes on with every other section, and names the privilege, where ${what} is lacking`, async () => {
      await grant(cluster, indices);
      const watching = await watchNode(node, user, { speed, reprobeMs });
      try {
        await watching.until(() => wasTried(watching) && told(watching.items) !== undefined);
        const states = sections.map(({ name }) => [name, watching.capability(name).state] as const);
        const forbidden = states.filter(([, state]) => state === 'forbidden').map(([name]) => name);
        // This build has no data streams at all, and does not say whether they are forbidden or missing.
        const ofBuild = (names: readonly SectionName[]) => names.filter((name) => name !== 'data_streams');
        assert.deepEqual(ofBuild(forbidden).sort(), ofBuild(stops).toSorted());
        for (const [name, state] of states) {
          if (name !== 'data_streams' && !stops.includes(name)) assert.equal(state, 'ok', name);
        }
        for (const name of ofBuild(stops)) {
          const { reason, privilege } = watching.capability(name);
          assert.match(reason ?? '', says);
          assert.match(privilege ?? '', /monitor/);
          const said = told(watching.items)?.body.sections.find(({ section }) => section === name);
          assert.deepEqual([said?.state, said?.reason, said?.privilege], ['forbidden', reason, privilege]);
        }
        assert.equal(watching.watch.status().state, 'watching');
      } finally {
        await watching.stop();
      }
    });
  }

  it('retries forbidden sections slowly, and resumes them once they are granted', async () => {
    await grant(['monitor'], []);
    const watching = await watchNode(node, user, { speed, reprobeMs });
    try {
      await watching.until(() => watching.capability('shards').state === 'forbidden');
      const asked = () => watching.calls.filter(({ call }) => call === 'GET /_cat/shards');
      await watching.until(() => asked().length >= 2);
      await grant(['monitor'], allIndices);
      await watching.until(() => watching.capability('shards').state === 'ok');
      const [first, second] = asked();
      assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 0.9 * reprobeMs);
      assert.ok(watching.items.some(({ section }) => section === 'shards'));
    } finally {
      await watching.stop();
    }
  });

  it('stops everything with one message when its key is invalidated, and then retries rarely', async () => {
    await grant(['monitor'], allIndices);
    const key = (await ask('POST', '/_security/api_key', {
      name: 'watching',
      role_descriptors: { watching: { cluster: ['monitor'], indices: allIndices } },
    })) as { readonly id: string; readonly encoded: string };
    const watching = await watchNode(node, { apiKey: key.encoded }, { speed, reprobeMs });
    try {
      const healths = () => watching.items.filter(({ section }) => section === 'health').length;
      await watching.until(() => healths() >= 2);
      await ask('DELETE', '/_security/api_key', { ids: [key.id] });
      await watching.until(() => watching.watch.status().state === 'unauthorized');
      const refused = () => watching.calls.filter(({ outcome }) => outcome === '401');
      await watching.until(() => refused().length >= 3);
      const [first, ...later] = refused();
      const after = watching.calls.filter(({ at }) => at > (first?.at ?? 0));
      assert.deepEqual(after, later, 'and nothing else is asked');
      for (const [index, { at }] of later.entries())
        assert.ok(at - (refused()[index]?.at ?? 0) >= 0.9 * (index === 0 ? minute : reprobeMs));
      const messages = watching.warnings.filter(({ text }) => text.includes('refuses the credentials'));
      assert.equal(messages.length, 1);
      assert.match(messages[0]?.text ?? '', /Give integration.json a valid apiKey/);
      assert.match(watching.watch.status().reason ?? '', /credentials were refused \(401\)/);
      assert.match(told(watching.items)?.body.notes.join() ?? '', /credentials were refused \(401\)/);
      const everything = JSON.stringify([watching.watch.status(), watching.warnings, watching.items]);
      assert.ok(!everything.includes(key.encoded));
    } finally {
      await watching.stop();
    }
  });
});
