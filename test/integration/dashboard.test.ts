import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Browser, Request } from 'playwright-core';
import { openBrowser, watchedPage, type WatchedPage } from '../support/browser.js';
import { seededCluster } from '../../bench/screenshots/seed-cluster.js';
import { seedCluster } from '../../bench/screenshots/seed.js';
import { axeStates, emptyStates } from './dashboard-parts/axe-states.js';
import { violationsInThemes } from './dashboard-parts/axe.js';
import { cellsOf } from './dashboard-parts/cells.js';
import { clusterLists } from './dashboard-parts/cluster-lists.js';
import { clusterPages } from './dashboard-parts/cluster-pages.js';
import { copies } from './dashboard-parts/copies.js';
import { drawnLine } from './dashboard-parts/drawn-line.js';
import { endedSession } from './dashboard-parts/ended-session.js';
import { fitsWhenZoomed } from './dashboard-parts/fits.js';
import { homeFigures } from './dashboard-parts/home-figures.js';
import { hotThreadsQuestion } from './dashboard-parts/hot-threads.js';
import { integrationForm } from './dashboard-parts/integration-form.js';
import { ferryMetric, ferryTrace, keyStory } from './dashboard-parts/key-story.js';
import { keyboardWalk } from './dashboard-parts/keyboard-walk.js';
import { liveList } from './dashboard-parts/live-list.js';
import { markupIsText } from './dashboard-parts/markup.js';
import { nothingToOthers } from './dashboard-parts/other-workspace.js';
import { sameDetails } from './dashboard-parts/same-details.js';
import { sameFigures } from './dashboard-parts/same-figures.js';
import { sameScores } from './dashboard-parts/same-scores.js';
import { shownSql } from './dashboard-parts/shown-sql.js';
import { nothingInRange } from './dashboard-parts/nothing-in-range.js';
import { otherOrigins } from './dashboard-parts/other-origins.js';
import { pageStates } from './dashboard-parts/states.js';
import { visit } from './dashboard-parts/visit.js';
import { tellsWithoutColour } from './dashboard-parts/without-colour.js';
import { formatCount, formatNumber } from '../../dashboard/src/shared/format.js';
import { formatLag } from '../../dashboard/src/shared/stage-status.js';
import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import { AgentProcess } from '../support/agent-process.js';
import { sharedPipeline, type Pipeline } from '../support/pipeline.js';
import { runTelltale } from '../support/roles.js';
import { insertSpans } from '../support/span-rows.js';
import { catalogue } from '../../topics/catalogue.js';
import { until } from '../support/until.js';

const patienceMs = 60_000;
const mostRequests = 15;

const traceId = 'c0ffee'.padEnd(32, '1');
const operation = 'GET /cart <b>';

/** A request of 12 s that makes 100 calls of 99 steps each. */
function largeTrace(): Buffer {
  const begin = BigInt(Date.now() - 60_000) * 1_000_000n;
  const span = (id: number, parent: number | undefined, at: number, ms: number, more: object): object => ({
    ...{ traceId, spanId: id.toString(16).padStart(16, '0') },
    ...(parent !== undefined && { parentSpanId: parent.toString(16).padStart(16, '0') }),
    startTimeUnixNano: String(begin + BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(begin + BigInt(at + ms) * 1_000_000n),
    ...more,
  });
  const of = (service: string, spans: readonly object[]): object => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [{ spans }],
  });
  const calls = Array.from({ length: 9_999 }, (_, index) => {
    const isCall = index % 100 === 0;
    const call = index - (index % 100) + 2;
    const name = isCall ? `call ${index / 100}` : `step ${index % 100}`;
    const attributes = [{ key: 'shelf', value: { stringValue: `shelf-${index + 1}` } }];
    return span(index + 2, isCall ? 1 : call, index, 1, { name, attributes, ...(isCall && { kind: 2 }) });
  });
  const root = span(1, undefined, 0, 12_000, { name: operation, kind: 2, status: { code: 2 } });
  return Buffer.from(JSON.stringify({ resourceSpans: [of('shop', [root]), of('stock', calls)] }));
}

interface Agent {
  readonly agent_id: string;
  readonly host: string;
  readonly state: string;
  readonly version: string;
  readonly components: readonly { readonly name: string; readonly problem: string | null }[];
}

interface Key {
  readonly key_id: string;
  readonly name: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly last_used_at: string | null;
}

interface Kept {
  readonly kept: readonly { readonly name: string; readonly days: number | null }[];
  readonly unknown: string | null;
}
interface Settings {
  readonly topics: Kept;
  readonly tables: Kept;
  readonly limits: readonly { readonly name: string; readonly value: unknown }[];
}

const clusterTabs = ['nodes', 'indices', 'shards', 'streams', 'work', 'pools', 'slow', 'collected'] as const;

/** The headers that the dashboard's own page sends. */
const ownPage = { 'sec-fetch-site': 'same-origin', 'x-telltale-dashboard': '1' };

describe('the dashboard in a browser, on the whole pipeline', () => {
  let pipeline: Pipeline;
  let browser: Browser;
  let signedIn: WatchedPage;

  before(async function () {
    const opened = await openBrowser();
    if (opened === undefined) {
      this.skip();
      return;
    }
    browser = opened;
    pipeline = await sharedPipeline('dashboard');
    signedIn = await watchedPage(browser, pipeline.edge.url);
    signedIn.page.setDefaultTimeout(patienceMs);
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    await (pipeline as Pipeline | undefined)?.stop();
  });

  const go = (path: string): Promise<unknown> => signedIn.page.goto(`${pipeline.edge.url}/ui${path}`);

  it('signs in by a link that works once', async () => {
    const { page } = signedIn;
    const made = await runTelltale(
      ['sign-in-link', '--workspace', 'dashboard', '--url', pipeline.edge.url],
      pipeline.environment,
    );
    await page.goto(made.trim());
    await page.getByRole('heading', { name: 'What needs attention' }).waitFor();
    assert.ok(!page.url().includes('link='), 'the token leaves the address');

    const again = await fetch(`${pipeline.edge.url}/ui/api/session`, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-telltale-dashboard': '1',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ link: made.trim().split('#link=')[1] }),
    });
    assert.equal(again.status, 401);
  });

  it('sends at most 15 requests when first opened, for files and for what Home shows', async () => {
    const { page } = signedIn;
    const requests: string[] = [];
    const note = (request: Request): void => void requests.push(request.url());
    page.on('request', note);
    await go('/');
    await page.getByRole('heading', { name: /Nothing has been received yet/ }).waitFor();
    await page.waitForLoadState('networkidle');
    page.off('request', note);
    assert.ok(requests.length <= mostRequests, requests.join('\n'));
  });

  emptyStates(() => ({ pipeline, signedIn }));

  it('shows the first calls to make in an empty workspace, and when data of each has arrived', async () => {
    const { page } = signedIn;
    await go('/');
    await page.getByRole('link', { name: 'Results', exact: true }).click();
    await page.getByRole('heading', { name: 'No prompt was ever scored here' }).waitFor();
    await page.getByRole('group', { name: 'The first call' }).getByText('text-metrics').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.getByRole('heading', { name: /Nothing has been received yet/ }).waitFor();
    await page.getByRole('button', { name: 'Make a key for these calls' }).click();
    await page.getByText('The key “first calls” is filled in', { exact: false }).waitFor();
    const command = (await page.locator('main pre').nth(1).textContent()) ?? '';
    const [, address] = /"(http[^"]+)"/.exec(command) ?? [];
    assert.ok(address !== undefined, command);
    await until('the key is known', async () => (await fetch(address)).status === 200);
    await page.getByRole('link', { name: 'arrived: see it' }).waitFor();
    await page.getByRole('heading', { name: 'The first data has arrived' }).waitFor();
  });

  keyStory(() => ({ pipeline, signedIn }));

  it('shows the result that the API answers and that ClickHouse has', async () => {
    const of = { headers: { authorization: `Bearer ${pipeline.key}` } };
    const answer = await fetch(`${pipeline.edge.url}/api/v1/results?contains=ferry`, of);
    const { results } = (await answer.json()) as {
      results: readonly { id: string; prompt_sentiment_lexicon: number }[];
    };
    const rows = await pipeline.query<{ id: string; sentiment: number }>(
      "SELECT toString(task_id) AS id, prompt_sentiment_lexicon AS sentiment FROM telltale.scoring_results WHERE workspace = 'dashboard'",
    );
    assert.deepEqual(
      results.map(({ id, prompt_sentiment_lexicon: sentiment }) => ({ id, sentiment })),
      rows,
    );
    await go(`/results/${rows[0]?.id ?? ''}`);
    const shown = signedIn.page.getByRole('row', { name: /prompt\.sentiment_lexicon/ });
    assert.ok(((await shown.textContent()) ?? '').includes(String(rows[0]?.sentiment)));
  });

  it('shows the trend of a score, and of another period, as the API has them', async () => {
    const { page } = signedIn;
    const answer = page.waitForResponse((response) => response.url().includes('/api/v1/results/trends'));
    await go('/results/trends?compare=day');
    const { whole } = (await (await answer).json()) as { whole: { scored: number; mean: number } };
    const row = page.getByRole('row', { name: /^mean/ });
    await row.waitFor();
    const mean = whole.mean.toLocaleString('en-GB', { maximumFractionDigits: 3 });
    assert.deepEqual(await row.getByRole('cell').allTextContents(), ['mean', mean, '–', '–']);
    const [stored] = await pipeline.query<{ mean: number }>(
      "SELECT avg(prompt_sentiment_lexicon) AS mean FROM telltale.scoring_results WHERE workspace = 'dashboard'",
    );
    assert.equal(whole.mean, stored?.mean);
    await page.getByLabel('Prompt contains').fill('no such prompt');
    await page.getByRole('heading', { name: 'No result of this range fits the filter' }).waitFor();
    const narrowed = page.waitForResponse((response) => response.url().includes('contains=ferry'));
    await go('/results/trends?lane=realtime&max=1&q=ferry');
    assert.equal(((await (await narrowed).json()) as { whole: { scored: number } }).whole.scored, 1);
    await page.getByRole('row', { name: /^mean/ }).waitFor();
  });

  it('scores a text of one’s own', async () => {
    const { page } = signedIn;
    await go('/results/score');
    await page.getByLabel('Prompt', { exact: true }).fill('What a lovely ferry <b> at 12 Pier Street');
    await page.getByRole('button', { name: 'Score it' }).press('Enter');
    await page.getByText('text sentiment', { exact: true }).click();
    await page.getByRole('cell', { name: 'prompt.sentiment_lexicon' }).first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^CSV: result / }).press('Enter');
    assert.match(
      await readFile(await (await saved).path(), 'utf8'),
      /^"metric","name","value","reason"\r\n[^]*"text_sentiment","prompt.sentiment_lexicon",/,
    );
    await until('the result is stored', async () => {
      const [row] = await pipeline.query<{ key_id: string }>(
        "SELECT key_id FROM telltale.scoring_results WHERE workspace = 'dashboard' AND prompt = 'What a lovely ferry <b> at 12 Pier Street'",
      );
      return row?.key_id === 'dashboard';
    });
    await page.getByRole('link', { name: 'Its page' }).click();
    await page.getByText('12 Pier Street sensitive pattern', { exact: true }).waitFor();
  });

  it('filters the results as ClickHouse does, and says how current they are and how long they took', async () => {
    const { page } = signedIn;
    const answer = page.waitForResponse((response) => response.url().includes('/api/v1/results?'));
    await go('/results?min=0.1&lane=realtime&key=dashboard');
    const { results } = (await (await answer).json()) as { results: readonly { id: string }[] };
    const rows = await pipeline.query<{ id: string }>(
      `SELECT toString(task_id) AS id FROM telltale.scoring_results
       WHERE workspace = 'dashboard' AND prompt_sentiment_lexicon >= 0.1 AND lane = 'realtime' AND key_id = 'dashboard'
       ORDER BY accepted_at DESC`,
    );
    assert.ok(rows.length > 0);
    assert.deepEqual(
      results.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
    await page.getByRole('button', { name: /data (?:up to date|.* behind)/ }).waitFor();
    const times = page.waitForResponse((response) => response.url().includes('/api/v1/results/hop-times'));
    await go('/pipeline');
    const { lanes } = (await (await times).json()) as {
      lanes: readonly { lane: string; results: number }[];
    };
    const [stored] = await pipeline.query<{ calls: number }>(
      `SELECT toFloat64(count()) AS calls FROM telltale.scoring_result_versions
       WHERE workspace = 'dashboard' AND lane = 'realtime' AND version = 0`,
    );
    assert.ok(stored !== undefined && stored.calls > 0);
    assert.equal(lanes.find(({ lane }) => lane === 'realtime')?.results, stored.calls);
    await page.getByRole('heading', { name: `Real-time calls: ${stored.calls}`, exact: true }).waitFor();
    await page
      .getByRole('row', { name: /^End to end/ })
      .first()
      .waitFor();
  });

  liveList(() => ({ pipeline, signedIn }));

  it('shows the progress of the stages as the API answers it, and each step of a call with its time', async () => {
    const { page } = signedIn;
    const of = { headers: { authorization: `Bearer ${pipeline.key}` } };
    // A request of the previous page can be answered while the page is being left.
    await page.goto('about:blank');
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/v1/pipeline'));
    await go('/pipeline');
    const { stages, processes } = (await (await answer).json()) as {
      processes: readonly { process: string; role: string; errors_last_minute: number | null }[];
      stages: readonly {
        topic: string;
        appended_last_minute: number | null;
        lag_records: number | null;
        lag_seconds: number | null;
        dead_letters: number | null;
        errors_last_minute: number | null;
      }[];
    };
    const box = page
      .getByRole('listitem')
      .filter({ has: page.getByText('scoring.results', { exact: true }) });
    const stored = stages.find(({ topic }) => topic === 'scoring.results');
    assert.ok(stored !== undefined && stored.errors_last_minute !== null, 'the sinks report their errors');
    const shown = (await box.last().textContent()) ?? '';
    const count = (value: number | null): string => (value === null ? 'unknown' : formatNumber(value, 0));
    const figures = [
      `records, last minute${count(stored.appended_last_minute)}`,
      `behind${stored.lag_records === null ? 'unknown records' : formatCount(stored.lag_records, 'record')}, ${formatLag(stored.lag_seconds) ?? 'unknown time'}`,
      `errors, last minute${count(stored.errors_last_minute)}`,
      `dead letters kept${count(stored.dead_letters)}`,
    ];
    assert.ok(shown.endsWith(figures.join('')), `${shown} is not ${figures.join('')}`);
    assert.ok(processes.some(({ errors_last_minute: count }) => count !== null));
    assert.deepEqual(
      await cellsOf(page, 'Processes', [0, 1, 4]),
      processes.map((one) => `${one.process}|${one.role}|${one.errors_last_minute ?? '–'}`),
    );
    await page
      .getByText(/^\d+ errors?, last minute$/)
      .first()
      .waitFor();

    const [row] = await pipeline.query<{ id: string }>(
      "SELECT toString(task_id) AS id FROM telltale.scoring_results WHERE workspace = 'dashboard' LIMIT 1",
    );
    const id = row?.id ?? '';
    const { hops } = (await (await fetch(`${pipeline.edge.url}/api/v1/find/${id}`, of)).json()) as {
      hops: readonly { hop: string }[];
    };
    await go('/pipeline/find');
    // A UUID may be in capitals.
    await page.getByLabel('Id', { exact: true }).fill(id.toUpperCase());
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Open the result' }).waitFor();
    const steps = await page.locator('tbody tr td:first-child').allTextContents();
    assert.deepEqual(
      steps,
      hops.map(({ hop }) => hop),
    );
  });

  it('shows a replay, its progress, and the actions that it allows', async () => {
    const { page } = signedIn;
    await go('/pipeline/replays');
    await page.getByRole('heading', { name: 'Nothing has been replayed' }).waitFor();
    const asked = await fetch(`${pipeline.edge.url}/api/v1/replays`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'scoring', metric: 'text_sentiment' }),
    });
    assert.equal(asked.status, 202, await asked.clone().text());
    const { id, what } = (await asked.json()) as { id: string; what: string };
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: id });
    await row.getByText('done', { exact: true }).waitFor();
    assert.ok((await row.textContent())?.includes(what));
  });

  it('shows an agent as the API has it, and that it was stopped', async () => {
    const { page } = signedIn;
    const agent = await AgentProcess.start({
      serverUrl: pipeline.edge.url,
      apiKey: pipeline.key,
      integration: { service: 'elasticsearch', host: '127.0.0.1', port: '1' },
    });
    const of = { headers: { authorization: `Bearer ${pipeline.key}` } };
    const agents = async (): Promise<readonly Agent[]> =>
      ((await (await fetch(`${pipeline.edge.url}/api/v1/agents`, of)).json()) as { agents: Agent[] }).agents;
    const reporting = async (): Promise<Agent | undefined> =>
      (await agents()).find(({ state }) => state === 'reporting');
    await until('the agent has reported', async () => (await reporting()) !== undefined);
    const said = await reporting();
    await go('/control/agents');
    const row = page.getByRole('row', { name: new RegExp(said?.agent_id ?? '') });
    const shown = (await row.textContent()) ?? '';
    for (const text of [said?.agent_id, 'reporting', '1 GiB', 'http://127.0.0.1:1', said?.version])
      assert.ok(text !== undefined && shown.includes(text), `${text} in ${shown}`);
    const problems = said?.components.flatMap(({ name, problem }) =>
      problem === null ? [] : `${name}: ${problem}`,
    );
    assert.equal((await cellsOf(page, 'Agents', [2]))[0], problems?.join('') || 'all are well');
    await agent.stop();
    const state = (await agents()).find(({ agent_id: id }) => id === said?.agent_id)?.state;
    assert.equal(state, 'stopped');
    await page.reload();
    await row.getByText('stopped').waitFor();
  });

  it('shows the settings in effect, as the API, Kafka and ClickHouse have them', async () => {
    const { page } = signedIn;
    const of = { headers: { authorization: `Bearer ${pipeline.key}` } };
    const { topics, tables, limits } = (await (
      await fetch(`${pipeline.edge.url}/api/v1/settings`, of)
    ).json()) as Settings;
    assert.deepEqual([topics.unknown, tables.unknown], [null, null]);
    for (const { name, cleanup } of catalogue) {
      const days = cleanup.retentionMs === undefined ? null : cleanup.retentionMs / 86_400_000;
      assert.deepEqual(
        topics.kept.find((one) => one.name === name),
        { name, days },
      );
    }
    const days = new Map(tables.kept.map((one) => [one.name, one.days]));
    assert.deepEqual([days.get('events'), days.get('cluster_nodes')], [400, 30]);
    assert.ok(limits.some(({ name, value }) => name === 'EDGE_BODY_LIMIT_BYTES' && value === 1_048_576));
    await go('/control/settings');
    await page.getByRole('row', { name: 'cluster_nodes 30 d', exact: true }).waitFor();
    await page.getByRole('row', { name: 'scoring.requests 7 d', exact: true }).waitFor();
    await page.getByRole('row', { name: 'access.api-keys forever', exact: true }).waitFor();
    await page.getByRole('row', { name: /EDGE_BODY_LIMIT_BYTES 1048576/ }).waitFor();
  });

  it('shows the keys that the API answers, and when one was last used', async () => {
    const { page } = signedIn;
    const of = { headers: { authorization: `Bearer ${pipeline.key}` } };
    const { keys } = (await (await fetch(`${pipeline.edge.url}/api/v1/keys`, of)).json()) as {
      keys: readonly Key[];
    };
    const used = keys.find(({ key_id: id }) => pipeline.key.includes(id))?.last_used_at;
    assert.ok(used !== null && used !== undefined && Date.now() - Date.parse(used) < 60_000, used ?? 'never');
    await go('/control');
    const row = page.getByRole('row', { name: new RegExp(/tt_([^_]+)_/.exec(pipeline.key)?.[1] ?? '') });
    assert.ok(!((await row.textContent()) ?? '').includes('not known'));
    assert.deepEqual(
      [...(await cellsOf(page, 'API keys', [0, 1, 2]))].sort(),
      keys.map(({ name, key_id, state, scopes }) => `${name}${key_id}|${state}|${scopes.join(', ')}`).sort(),
    );
  });

  it('shows who is signed in, and ends a session', async () => {
    const { page } = signedIn;
    const begun = await fetch(`${pipeline.edge.url}/ui/api/session`, {
      method: 'POST',
      headers: { ...ownPage, 'content-type': 'application/json' },
      body: JSON.stringify({ key: pipeline.key }),
    });
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const isOpen = async (): Promise<boolean> =>
      (await fetch(`${pipeline.edge.url}/ui/api/v1/pipeline`, { headers: { ...ownPage, cookie } })).ok;
    assert.ok(await isOpen());
    await go('/control/people');
    await page.getByRole('row', { name: /somebody with a link · you admin a sign-in link/ }).waitFor();
    const listed = await fetch(`${pipeline.edge.url}/api/v1/sessions`, {
      headers: { authorization: `Bearer ${pipeline.key}` },
    });
    const { sessions } = (await listed.json()) as { sessions: readonly { role: string }[] };
    assert.deepEqual(
      await cellsOf(page, 'Sessions', [1]),
      sessions.map(({ role }) => role),
    );
    await page.getByRole('button', { name: /End the session of the holder of key/ }).press('Enter');
    await page.getByRole('button', { name: 'End it' }).press('Enter');
    await page.getByRole('row', { name: /the holder of key/ }).waitFor({ state: 'detached' });
    assert.ok(!(await isOpen()));
  });

  it('shows a trace of 10,000 spans: the numbers of the API, and only the rows that are seen', async () => {
    const { page } = signedIn;
    const { url, writer } = pipeline.stack.clickhouse;
    const clickhouse = connectClickHouse({ url, ...writer });
    await insertSpans(clickhouse, [largeTrace()], 'large-trace', 'large-trace', 'dashboard');
    await clickhouse.close();
    const of = { headers: { authorization: `Bearer ${pipeline.key}` } };
    const answer = await fetch(
      `${pipeline.edge.url}/api/v1/traces?operation=${encodeURIComponent(operation)}`,
      of,
    );
    const [found] = ((await answer.json()) as { spans: readonly { duration_ms: number }[] }).spans;
    assert.equal(found?.duration_ms, 12_000);

    await go('/traces');
    const row = page.getByRole('row', { name: /GET \/cart <b>/ });
    assert.match((await row.textContent()) ?? '', /shop.*error.*12 s$/);
    await row.getByRole('link').click();
    await page.getByText('10,000 spans in 2 services, 1 with an error').waitFor();
    await page.getByRole('treegrid', { name: 'Spans' }).press('ArrowDown');
    await page.getByRole('row', { name: 'shelf-1', exact: false }).waitFor();
    assert.ok((await page.locator('[role=treegrid] [role=row]').count()) < 100);
    await page.getByRole('treegrid', { name: 'Spans' }).press('ArrowUp');
    await page.getByRole('button', { name: 'Fold', exact: true }).click();
    assert.equal(await page.getByRole('treegrid', { name: 'Spans' }).getAttribute('aria-rowcount'), '101');
    assert.deepEqual(await violationsInThemes(page), []);
  });

  copies(() => ({ pipeline, signedIn }));

  it('returns to the same place in a long list', async () => {
    const { page } = signedIn;
    await page.setViewportSize({ width: 1280, height: 800 });
    await go('/traces?spans=all');
    const link = page
      .getByRole('table', { name: 'Traces' })
      .getByRole('row')
      .nth(90)
      .getByRole('link')
      .first();
    await link.scrollIntoViewIfNeeded();
    const placeInSight = async (): Promise<number> => Math.round((await link.boundingBox())?.y ?? -1);
    const left = await placeInSight();
    const scrolled = await page.evaluate<number>('scrollY');
    assert.ok(scrolled > 1_000, `only ${scrolled} pixels down`);
    await link.click();
    await page.getByRole('treegrid', { name: 'Spans' }).waitFor();
    await page.goBack();
    await link.waitFor();
    await until('the row is where it was', async () => (await placeInSight()) === left);
  });

  it('maps durations over time as the API counts them, and searches the area that is dragged over', async () => {
    const { page } = signedIn;
    await page.setViewportSize({ width: 1280, height: 800 });
    const answer = page.waitForResponse((response) => response.url().includes('/traces/durations'));
    await go('/traces?spans=all');
    const { cells, edges_ms: edges } = (await (await answer).json()) as {
      cells: readonly { from_ms: number; spans: number; errors: number }[];
      edges_ms: readonly number[];
    };
    const stored = await pipeline.query<{ from_ns: string; spans: string }>(
      `SELECT roundDown(Duration, [${edges.map((ms) => ms * 1e6).join(', ')}]) AS from_ns, count() AS spans
       FROM telltale.otel_traces WHERE workspace = 'dashboard' GROUP BY from_ns ORDER BY from_ns`,
    );
    const spansFrom = (from: number): number =>
      cells.reduce((sum, { from_ms, spans }) => sum + (from_ms === from ? spans : 0), 0);
    assert.deepEqual(
      [...new Set(cells.map(({ from_ms }) => from_ms))]
        .sort((a, b) => a - b)
        .map((from) => [from, spansFrom(from)]),
      stored.map(({ from_ns, spans }) => [Number(from_ns) / 1e6, Number(spans)]),
    );
    const map = page.getByRole('img', { name: /10,001 spans from 1 ms on/ });
    await map.waitFor();
    const drawn = async (selector: string): Promise<number> => {
      const paths = await Promise.all(
        (await map.locator(selector).all()).map((path) => path.getAttribute('d')),
      );
      return paths.join('').split('M').length - 1;
    };
    assert.equal(await drawn('[data-shade]'), cells.length);
    assert.equal(await drawn('[data-failed]'), cells.filter(({ errors }) => errors > 0).length);
    // The upper half covers the one request of 12 s, not its calls of 1 ms.
    const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + 2, y + 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('img', { name: /^1 span from 10 s on/ }).waitFor();
    await until('the list has it alone', async () => (await page.locator('tbody tr').count()) === 1);
  });

  it('draws who calls whom', async () => {
    const { page } = signedIn;
    const answer = page.waitForResponse((response) => response.url().includes('/applications/calls'));
    await go('/applications');
    const { calls } = (await (await answer).json()) as {
      calls: readonly { caller: string; called: string }[];
    };
    const map = page.getByRole('region', { name: 'Map of calls' });
    const names = new Set(calls.flatMap(({ caller, called }) => [caller, called]));
    assert.deepEqual([...names].sort(), ['shop', 'stock']);
    await map.waitFor();
    assert.deepEqual((await map.getByRole('link').allTextContents()).sort(), ['shop', 'stock']);
    assert.match((await map.textContent()) ?? '', /100p95 1 ms/);
  });

  it('stores a cluster that loses a node', () => seedCluster(pipeline, 140));
  // Called here to run in this order: a nested suite would run after all tests of this one.
  clusterPages(() => ({ pipeline, signedIn }));
  clusterLists(() => ({ pipeline, signedIn }));
  homeFigures(() => ({ pipeline, signedIn }));
  hotThreadsQuestion(() => ({ pipeline, signedIn }));
  integrationForm(() => ({ pipeline, signedIn }));
  sameFigures(() => ({ pipeline, signedIn }));
  sameScores(() => ({ pipeline, signedIn }));
  sameDetails(() => ({ pipeline, signedIn }));
  nothingInRange(() => ({ pipeline, signedIn }));
  nothingToOthers(() => ({ pipeline, signedIn }), ferryTrace);
  shownSql(() => ({ pipeline, signedIn }));
  markupIsText(() => ({ pipeline, signedIn }));

  it('has pages on which axe-core finds nothing, that need no colour, and that lose nothing at 200 % and at 320 pixels', async () => {
    const { page } = signedIn;
    const tells = tellsWithoutColour();
    const [scored] = await pipeline.query<{ id: string }>(
      "SELECT toString(task_id) AS id FROM telltale.scoring_results WHERE workspace = 'dashboard' AND metric = 'all' LIMIT 1",
    );
    for (const path of [
      '/',
      '/results',
      `/results/${scored?.id ?? ''}`,
      '/results/trends',
      '/results/trends?compare=before',
      '/results/trends?score=hallucination_llm_score',
      '/results/score',
      '/applications',
      '/applications?application=none',
      '/applications?application=shop',
      '/traces',
      `/traces/${traceId}`,
      `/traces/${traceId}?span=none`,
      '/events',
      '/events?metric=none',
      `/events?metric=${ferryMetric}`,
      '/clusters',
      '/clusters/none',
      `/clusters/${seededCluster}`,
      ...clusterTabs.map((tab) => `/clusters/${seededCluster}/${tab}`),
      '/control',
      '/control/agents',
      '/control/integrations',
      '/control/scorers',
      '/control/people',
      '/control/settings',
      '/pipeline',
      '/pipeline/dead-letters',
      '/pipeline/replays',
      `/pipeline/find?id=${traceId}`,
      '/nowhere',
    ]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await visit({ signedIn }, path);
      await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })");
      assert.deepEqual(await violationsInThemes(page), [], path);
      await tells(page, path);
      await fitsWhenZoomed(page, path);
    }
  });

  it('signs out, and shows nothing any more', async () => {
    const { page } = signedIn;
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit({ signedIn }, '/control');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Telltale' }).waitFor();
    assert.deepEqual(await violationsInThemes(page), []);
    await fitsWhenZoomed(page, 'signing in');
    await go('/control');
    await page.getByRole('heading', { name: 'Sign in to Telltale' }).waitFor();
  });

  // Before slow tests: a cluster that is silent for some minutes is no longer red.
  keyboardWalk(() => ({ pipeline, signedIn }));
  axeStates(() => ({ pipeline, signedIn }));
  pageStates(() => ({ pipeline, signedIn }));
  drawnLine(() => ({ pipeline, signedIn }));
  otherOrigins(() => ({ pipeline, signedIn }));
  endedSession(() => ({ pipeline, signedIn }));

  it('has broken no security policy, and asked no other host', () => {
    // The browser logs only one answer as an error: the 404 for a requested cluster that does not exist.
    assert.deepEqual(
      signedIn.faults.filter((fault) => !fault.includes('404')),
      [],
    );
  });
});
