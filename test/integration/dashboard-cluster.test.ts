import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import type { ElasticsearchNode } from '../../stack/elasticsearch/elasticsearch.js';
import { settled, visit } from './dashboard-parts/visit.js';
import { agentRole } from '../support/agent-role.js';
import { openBrowser, watchedPage, type WatchedPage } from '../support/browser.js';
import { skipUnlessTested, startElasticsearch } from '../support/elasticsearch.js';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import { runTelltale, type Role } from '../support/roles.js';
import { atScale } from '../support/scale.js';
import { until } from '../support/until.js';

const workspace = 'dashboard-cluster';
/** The length of the gap. Charts draw whole minutes, and a line continues over one missing minute. */
const gapMs = atScale(8 * 60_000, 150_000);
const patienceMs = 120_000;
const everyFewSeconds = {
  indexIntervalSeconds: 5,
  shardIntervalSeconds: 5,
  clusterStatsIntervalSeconds: 5,
};

interface Standing {
  readonly code: number;
  readonly status?: unknown;
  readonly agent_host?: string;
  readonly hot_threads?: string;
  readonly detail?: string;
}

/** A real server and the real agent: the page shows the cluster's problems, and when the agent was down. */
describe('the dashboard over a real cluster', function () {
  this.timeout(15 * 60_000);
  let node: ElasticsearchNode;
  let pipeline: Pipeline;
  let agent: Role;
  let browser: Browser;
  let signedIn: WatchedPage;
  let uuid = '';

  before(async function () {
    await skipUnlessTested(this, '7.17.15');
    const opened = await openBrowser();
    if (opened === undefined) {
      this.skip();
      return;
    }
    browser = opened;
    [pipeline, node] = await Promise.all([
      sharedPipeline(workspace),
      startElasticsearch({ version: '7.17.15', clusterName: 'harbour' }),
    ]);
    uuid = (JSON.parse((await node.ask('GET', '/')).text) as { cluster_uuid: string }).cluster_uuid;
    agent = await watching(pipeline, node);
    await agent.start();
    signedIn = await watchedPage(browser, pipeline.edge.url);
    signedIn.page.setDefaultTimeout(patienceMs);
    const asked = ['sign-in-link', '--workspace', workspace, '--url', pipeline.edge.url];
    await signedIn.page.goto((await runTelltale(asked, pipeline.environment)).trim());
    await signedIn.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    await (agent as Role | undefined)?.stop();
    await (node as ElasticsearchNode | undefined)?.stop();
    await (pipeline as Pipeline | undefined)?.stop();
  });

  const make = async (index: string, settings: object): Promise<void> => {
    const path = `/${index}?wait_for_active_shards=0&timeout=1s`;
    const { status, text } = await node.ask('PUT', path, { body: { settings } });
    assert.ok(status < 300, text);
  };
  const main = () => signedIn.page.locator('main');
  /** Waits until the cluster's page shows this code. */
  const sees = async (code: string): Promise<void> => {
    await until(`the page has ${code}`, async () => {
      await signedIn.page.goto(`${pipeline.edge.url}/ui/clusters/${uuid}?last=15m`);
      await settled(signedIn.page);
      return (await main().getByText(code, { exact: true }).count()) > 0;
    });
  };

  const keyOf = async (owner: string, scope: string): Promise<string> => {
    const asked = ['--workspace', owner, '--name', scope, '--scopes', scope, '--json'];
    const { key } = JSON.parse(await runTelltale(['keys', 'create', ...asked], pipeline.environment)) as {
      readonly key: string;
    };
    await until('the edge knows the key', async () => (await hotThreads('GET', key)).code !== 401);
    return key;
  };
  const hotThreads = async (method: string, key: string, url = pipeline.edge.url): Promise<Standing> => {
    const answer = await fetch(`${url}/api/v1/clusters/${uuid}/hot-threads`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    return { code: answer.status, ...((await answer.json()) as object) };
  };

  it('says why a cluster goes yellow, and what to do', async () => {
    await make('quay', { number_of_replicas: 1, 'index.search.slowlog.threshold.query.warn': '0ms' });
    await sees('yellow_single_node');
    await main().getByText('yellow', { exact: true }).first().waitFor();
    await main()
      .getByText(/unassigned on the only data node: quay/)
      .first()
      .waitFor();
    await main()
      .getByText(/Add a data node, or set number_of_replicas to 0/)
      .first()
      .waitFor();
  });

  it('says why it goes red, on Home and on the shards too', async () => {
    await make('lost', {
      number_of_replicas: 0,
      'index.routing.allocation.require._name': 'no-such-node',
    });
    await sees('primaries_unassigned');
    await main().getByText('red', { exact: true }).first().waitFor();
    await main().getByText('The cluster went from yellow to red.').waitFor();
    await signedIn.page.getByRole('link', { name: 'Shards' }).click();
    await main()
      .getByRole('row', { name: /lost \[0\] primary unassigned/ })
      .waitFor();
    await signedIn.page.goto(`${pipeline.edge.url}/ui/`);
    await main().getByText('Cluster harbour').waitFor();
  });

  it('lists a slow search, as the log of the server has it', async () => {
    await until('the page has it', async () => {
      await node.ask('GET', '/quay/_search');
      await signedIn.page.goto(`${pipeline.edge.url}/ui/clusters/${uuid}/slow?last=15m`);
      await settled(signedIn.page);
      return (
        (await main()
          .getByRole('row', { name: /quay \[0\]/ })
          .count()) > 0
      );
    });
  });

  it('shows its hot threads, which an agent is asked for, with the same answer on every edge', async () => {
    await signedIn.page.goto(`${pipeline.edge.url}/ui/clusters/${uuid}/nodes?last=15m`);
    await main().getByRole('button', { name: 'Ask for hot threads' }).click();
    await main().getByText('Waiting for an agent').waitFor();
    const other = await pipeline.anotherEdge();
    try {
      const text = main().getByRole('group', { name: 'Hot threads as text' });
      await text.waitFor();
      const shown = (await text.textContent()) ?? '';
      assert.match(shown, /Hot threads at .*busiestThreads=3/);
      const read = await hotThreads('GET', await keyOf(workspace, 'admin'), other.url);
      const { code, status, agent_host, hot_threads } = read;
      assert.deepEqual([code, status, agent_host, hot_threads], [200, 'answered', hostname(), shown]);
    } finally {
      await other.stop();
    }
  });

  it('lets only admins of its workspace ask for hot threads', async () => {
    const [reader, stranger] = await Promise.all([
      keyOf(workspace, 'read'),
      keyOf(`${workspace}-other`, 'admin'),
    ]);
    for (const method of ['GET', 'POST']) {
      assert.equal((await hotThreads(method, reader)).code, 403);
      assert.equal((await hotThreads(method, stranger)).code, 404);
    }
  });

  it('says which agent will not answer because it was stopped', async () => {
    await agent.stop();
    const { status, detail } = await hotThreads('POST', await keyOf(workspace, 'admin'));
    assert.equal(status, 'waiting');
    assert.match(String(detail), /^The agent on \S+ was stopped at /);
  });

  it('draws a labelled gap where nothing was collected, on every chart of the cluster', async () => {
    const gap = await atScale(earlierHistory, agentAway)(pipeline, uuid, agent);
    const isTheGap = (from: number, to: number): boolean => isNear(from, gap.from) && isNear(to, gap.to);
    // A figure that was not measured just before or after the gap either has one longer gap.
    const isWithinOne = (from: number, to: number): boolean =>
      from <= gap.from + nearMs && to >= gap.to - nearMs;
    const withoutChart: string[] = [];
    const shows = async (where: string, isIt: (from: number, to: number) => boolean): Promise<void> => {
      const charts = await main().locator('figure [role=img]').all();
      if (charts.length === 0) withoutChart.push(where);
      for (const chart of charts) {
        const said = (await chart.getAttribute('aria-label')) ?? '';
        const isShown = gapsSaidIn(said).some(([from, to]) => isIt(from, to));
        assert.ok(isShown, `${where}: ${JSON.stringify(gap)} is not in ${said}`);
      }
    };
    for (const tab of ['', '/nodes', '/indices']) {
      const at = `/clusters/${uuid}${tab}?last=30m`;
      await visit({ signedIn }, at);
      await main().locator('figure [role=img]').first().waitFor();
      await shows(tab, isTheGap);
      const figures = await main().getByLabel('Figure').locator('> option').all();
      assert.ok(figures.length > 3, `${tab} has ${figures.length} figures`);
      for (const option of figures) {
        const figure = (await option.getAttribute('value')) ?? '';
        await visit({ signedIn }, `${at}&figure=${figure}`);
        await shows(`${tab} ${figure}`, isWithinOne);
      }
    }
    await visit({ signedIn }, `/clusters/${uuid}/slow?last=30m`);
    await main().locator('figure [role=img]').first().waitFor();
    await shows('/slow', isWithinOne);
    assert.deepEqual(withoutChart, []);
    // The page was opened before the cluster was known, which is a 404.
    assert.deepEqual(
      signedIn.faults.filter((fault) => !fault.includes('404')),
      [],
    );
  });
});

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** A chart draws whole minutes, and the tables are not collected at the same second. */
const nearMs = 90_000;
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= nearMs;

/** The gaps in a chart's label: start and end in milliseconds since 1970. */
const gapsSaidIn = (label: string): readonly (readonly [number, number])[] =>
  [...label.matchAll(/not collected from (\S+ \S+) to (\S+ \S+) UTC/g)].map(
    ([, from, to]) => [Date.parse(`${from ?? ''}Z`), Date.parse(`${to ?? ''}Z`)] as const,
  );

/** When the cluster was first and last collected, in milliseconds since 1970. */
async function collected(pipeline: Pipeline, uuid: string): Promise<{ first: number; last: number }> {
  const [row] = await pipeline.query<{ first: string; last: string }>(
    `SELECT toUnixTimestamp64Milli(min(slot)) AS first, toUnixTimestamp64Milli(max(slot)) AS last
     FROM telltale.cluster_indices WHERE cluster_uuid = '${uuid}'`,
  );
  return { first: Number(row?.first), last: Number(row?.last) };
}

/** The agent has been stopped; starts it again once the gap is long enough. */
async function agentAway(pipeline: Pipeline, uuid: string, agent: Role): Promise<Gap> {
  const { last } = await collected(pipeline, uuid);
  await sleep(gapMs);
  const began = Date.now();
  await agent.start();
  await until('it is collected again', async () => (await collected(pipeline, uuid)).last > began);
  return { from: last, to: began };
}

/** Copies the collected rows to some minutes earlier, as if they came from a separate topic. */
async function earlierHistory(pipeline: Pipeline, uuid: string): Promise<Gap> {
  const { first, last } = await collected(pipeline, uuid);
  const { url, writer } = pipeline.stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  const earlierMs = gapMs + last - first;
  try {
    const moved = (column: string): string =>
      `${column} - INTERVAL ${earlierMs} MILLISECOND AS ${column}, 'history' AS _topic, rowNumberInAllBlocks() AS _offset, -1 AS _previous_offset`;
    const copy = (table: string, replaced: string): Promise<void> =>
      clickhouse.command(
        `INSERT INTO telltale.${table} SELECT * REPLACE (${replaced}) FROM telltale.${table} WHERE cluster_uuid = '${uuid}'`,
      );
    await copy('cluster_health', moved('at'));
    for (const table of ['cluster_overview', 'cluster_nodes', 'cluster_indices'])
      await copy(
        table,
        `${moved('slot')}, taken_at - INTERVAL ${earlierMs} MILLISECOND AS taken_at, 0 AS _index, 1 AS _rows`,
      );
  } finally {
    await clickhouse.close();
  }
  return { from: last - earlierMs, to: first };
}

async function watching(pipeline: Pipeline, node: ElasticsearchNode): Promise<Role> {
  const slowlog = { enabled: true, logDirectories: [node.logsFolder] };
  const entry = { service: 'elasticsearch', host: '127.0.0.1', port: String(node.port), slowlog };
  const asked = ['--workspace', workspace, '--name', 'host', '--scopes', 'agent', '--json'];
  const made = await runTelltale(['keys', 'create', ...asked], pipeline.environment);
  return agentRole(pipeline, {
    program: fileURLToPath(new URL('../support/quick-telltale.js', import.meta.url)),
    integrations: [{ ...entry, advanced: everyFewSeconds }],
    environment: { AGENT_API_KEY: (JSON.parse(made) as { readonly key: string }).key },
  });
}
