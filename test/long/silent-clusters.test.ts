import assert from 'node:assert/strict';
import { silences } from '../../schemas/snapshots/silences.js';
import type { ElasticsearchCluster } from '../../stack/elasticsearch/cluster.js';
import { whyNotTested } from '../../stack/elasticsearch/distributions.js';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { agentRole } from '../support/agent-role.js';
import { elasticPassword, startElasticsearch, startElasticsearchCluster } from '../support/elasticsearch.js';
import { startPipeline, type Pipeline } from '../support/pipeline.js';
import type { Role } from '../support/roles.js';
import { until } from '../support/until.js';

interface Standing {
  readonly status: string | null;
  readonly score: number | null;
  readonly stale: boolean;
  readonly reason: string | null;
  readonly deductions: readonly { readonly code: string; readonly reason: string }[];
}

function signal({ pid }: ElasticsearchNode, name: NodeJS.Signals): void {
  process.kill(-(pid ?? assert.fail('it runs')), name);
}

/** The agent collects once a minute, as it does in production. */
const interval = 60;
/** Snapshots older than this no longer count, so silence is reported by then. */
const silence = 3 * interval;

describe('a cluster that falls silent, as an operator sees it,', function () {
  this.timeout(30 * 60_000);
  let pipeline: Pipeline;
  let agent: Role;
  let cluster: ElasticsearchCluster;
  let secured: ElasticsearchNode | undefined;
  const uuids = new Map<ElasticsearchNode, string>();

  before(async () => {
    pipeline = await startPipeline('silent-clusters');
    cluster = await startElasticsearchCluster('7.17.15', 3);
    if ((await whyNotTested('8.14.1')) === undefined)
      secured = await startElasticsearch({ version: '8.14.1', password: elasticPassword });
    await nodeAt(0).ask('PUT', '/orders', {
      body: { settings: { number_of_shards: 3, number_of_replicas: 1 } },
    });
    const entries = [entryOf(nodeAt(0)), ...(secured === undefined ? [] : [await securedEntry(secured)])];
    for (const node of asked()) uuids.set(node, await uuidOf(node));
    agent = await agentRole(pipeline, { integrations: entries });
    await agent.start();
  });

  after(async () => {
    await agent.stop();
    await cluster.stop();
    await secured?.stop();
    await pipeline.stop();
  });

  const nodeAt = (index: number): ElasticsearchNode => cluster.nodes[index] ?? assert.fail('there are three');
  const asked = (): readonly ElasticsearchNode[] => [nodeAt(0), ...(secured === undefined ? [] : [secured])];
  const entryOf = (node: ElasticsearchNode) => ({
    service: 'elasticsearch',
    host: '127.0.0.1',
    port: String(node.port),
  });

  async function securedEntry(node: ElasticsearchNode): Promise<object> {
    const role_descriptors = {
      telltale: { cluster: ['monitor'], indices: [{ names: ['*'], privileges: ['monitor'] }] },
    };
    const { text } = await node.ask('POST', '/_security/api_key', {
      body: { name: 'telltale', role_descriptors },
    });
    return { ...entryOf(node), apiKey: (JSON.parse(text) as { readonly encoded: string }).encoded };
  }

  async function uuidOf(node: ElasticsearchNode): Promise<string> {
    const { text } = await node.ask('GET', '/');
    return (JSON.parse(text) as { readonly cluster_uuid: string }).cluster_uuid;
  }

  async function standingOf(node: ElasticsearchNode): Promise<Standing | undefined> {
    const answer = await fetch(`${pipeline.edge.url}/api/v1/clusters/${uuids.get(node)}`, {
      headers: { authorization: `Bearer ${pipeline.key}` },
    });
    return answer.status === 404 ? undefined : ((await answer.json()) as Standing);
  }

  /** The first standing that fulfils `isWanted`; fails if there is none within this many seconds. */
  async function toldWithin(
    seconds: number,
    what: string,
    node: ElasticsearchNode,
    isWanted: (standing: Standing) => boolean,
  ): Promise<Standing> {
    const begun = performance.now();
    let standing: Standing | undefined;
    await until(
      what,
      async () => {
        standing = await standingOf(node);
        return standing !== undefined && isWanted(standing);
      },
      seconds * 1_000,
    );
    console.log(`    ${what}: told after ${Math.round((performance.now() - begun) / 1_000)} s`);
    return standing ?? assert.fail(what);
  }

  const isGreen = ({ status, score }: Standing): boolean => status === 'green' && score !== null;

  /** Asserts that there is no score, and that the reason says since when, its meaning and what to do. */
  function explains(standing: Standing, state: keyof typeof silences, seen: RegExp): void {
    assert.deepEqual([standing.status, standing.score], [null, null]);
    const reason = standing.reason ?? '';
    assert.match(reason, /^No score, as .* since 20\S+Z/);
    assert.match(reason, seen);
    const { means, todo } = silences[state];
    assert.ok(reason.includes(`. ${means} ${todo}`), reason);
  }

  it('is listed with a score as soon as its agent has started', async () => {
    for (const node of asked()) {
      const { stale, reason } = await toldWithin(interval, 'a new cluster', node, isGreen);
      assert.deepEqual([stale, reason], [false, null]);
    }
  });

  it('has a deduction that names a hanging member, with what to do', async () => {
    const hung = nodeAt(2);
    signal(hung, 'SIGSTOP');
    const isNamed = ({ code, reason }: Standing['deductions'][number]): boolean =>
      /^node_(?:left|silent)$/.test(code) && reason.includes(hung.nodeName);
    const { deductions } = await toldWithin(5 * interval, 'a member that hangs', nodeAt(0), (standing) =>
      standing.deductions.some(isNamed),
    );
    assert.match(deductions.find(isNamed)?.reason ?? '', /: m3\. .*\. (?:Read|Check) .*\.$|\(m3\)\. .*\.$/);
    signal(hung, 'SIGCONT');
    await toldWithin(5 * interval, 'the member is back', nodeAt(0), isGreen);
  });

  it('has no score while the node that is polled hangs, and says which one and what to do', async () => {
    const hung = nodeAt(0);
    signal(hung, 'SIGSTOP');
    const isSilent = ({ score }: Standing): boolean => score === null;
    const standing = await toldWithin(silence, 'the asked node hangs', hung, isSilent);
    explains(standing, 'hung', new RegExp(`no whole answer within 15000 ms at ${hung.url}`));
    signal(hung, 'SIGCONT');
    await toldWithin(5 * interval, 'the asked node answers again', hung, isGreen);
  });

  it('has no score while the node that is polled is dead, and says which one and what to do', async () => {
    const dead = nodeAt(0);
    await dead.kill9();
    const isSilent = ({ score }: Standing): boolean => score === null;
    const standing = await toldWithin(silence, 'the asked node is dead', dead, isSilent);
    explains(standing, 'unreachable', new RegExp(`ECONNREFUSED 127\\.0\\.0\\.1:${dead.port}`));
    await dead.start();
    await toldWithin(5 * interval, 'the asked node runs again', dead, isGreen);
  });

  it('has no score once its key is invalidated, and says what to do', async function () {
    if (secured === undefined) this.skip();
    await secured.ask('DELETE', '/_security/api_key', { body: { name: 'telltale' } });
    const isSilent = ({ score }: Standing): boolean => score === null;
    const standing = await toldWithin(silence, 'the key is invalidated', secured, isSilent);
    explains(standing, 'refused', new RegExp(`the credentials were refused \\(401\\) at ${secured.url}`));
  });

  it('is stale once its agent is dead, and has a score again once the agent is back', async () => {
    await agent.kill9();
    for (const node of asked()) {
      const standing = await toldWithin(5 * interval, 'the agent is dead', node, ({ stale }) => stale);
      explains(standing, 'unheard', /nothing was heard of the cluster/);
      if (node === secured) assert.match(standing.reason ?? '', /Before that: .* refused \(401\)/);
    }
    await agent.start();
    await toldWithin(interval, 'the agent runs again', nodeAt(0), isGreen);
    if (secured === undefined) return;
    // The agent knows which cluster the key belongs to, although the cluster no longer identifies itself.
    const refused = await toldWithin(silence, 'the key is refused again', secured, ({ stale }) => !stale);
    explains(refused, 'refused', /the credentials were refused \(401\)/);
  });
});
