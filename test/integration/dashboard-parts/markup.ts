import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { quoted } from '../../../dashboard/src/shared/sql-text.js';
import { connectClickHouse, type ClickHouse } from '../../../runtime/clickhouse/client.js';
import { BatchSender } from '../../support/agent-batches.js';
import { markupPayloads as payloads } from '../../support/markup-payloads.js';
import { insertSpans } from '../../support/span-rows.js';
import { until } from '../../support/until.js';
import { disguisedAnswers } from './disguised.js';
import { open, type Stage } from './stage.js';
import { unwatched } from './unwatched.js';
import { visit } from './visit.js';

const traceId = 'badc0de'.padEnd(32, '2');
const last = payloads.at(-1) ?? '';

/** Elements that occur only if the page renders text as markup; the dashboard's own icons are svg. */
const strange =
  'script, iframe, object, base, meta, link, video, img, math, template, style, details[ontoggle], svg[onload], [onerror], [href^="javascript:"]';

const pages = [
  ...['/', '/results', '/traces?spans=all', `/traces/${traceId}`, '/applications', '/events', '/clusters'],
  ...['/events?metric=', '/applications?application=', '/results?q='].map(
    (path) => `${path}${encodeURIComponent(payloads[0] ?? '')}`,
  ),
];

const cluster = 'some-cluster';
const tabs = ['nodes', 'indices', 'shards', 'streams', 'work', 'pools', 'slow', 'collected'];
/** Every page that shows data of an answer. */
const allPages = [
  ...['/', '/results', '/results/trends', '/results/score', '/results/some', '/applications'],
  ...['/applications?application=some', '/traces', '/traces/some', '/events', '/events?metric=some'],
  ...['/clusters', `/clusters/${cluster}`, ...tabs.map((tab) => `/clusters/${cluster}/${tab}`)],
  ...['/pipeline', '/pipeline/dead-letters', '/pipeline/replays', '/pipeline/find?id=some'],
  ...['keys', 'agents', 'integrations', 'scorers', 'people', 'settings'].map((tab) => `/control/${tab}`),
];

/** Pages of one object with few texts: each text has all payloads. Other pages have a list. */
const pagesOfOne = ['/results/some', '/results/score', '/traces/some'];
/** A trend has figures and no text. */
const withoutText = '/results/trends';

/** Five payloads per text, so that fewer rows cover all of them. */
const inFives = (texts: readonly string[]): readonly string[] =>
  Array.from({ length: texts.length / 5 }, (_, at) => texts.slice(5 * at, 5 * at + 5).join(' '));

/** Any sender can choose names freely: each page must show them as text. */
export function markupIsText(stage: () => Stage): void {
  /** Clears the data of earlier visits, which would be shown first. */
  const afresh = (): Promise<unknown> => open(stage(), '/pipeline/find');

  it('stores markup as a name wherever something can be named', async () => {
    const { pipeline } = stage();
    const { url, writer } = pipeline.stack.clickhouse;
    const clickhouse = connectClickHouse({ url, ...writer });
    await insertSpans(clickhouse, [spansBody()], 'markup', 'markup', 'dashboard');
    await insertPrompts(clickhouse);
    await clickhouse.close();
    const sender = new BatchSender(pipeline.edge.url, pipeline.key);
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    await sender.send(
      'events',
      payloads.map((text) => ({ metric: text, type: 'gauge', value: 1, cluster: text, timestamp })),
    );
    await until('the events are stored', async () => {
      const [row] = await pipeline.query<{ rows: string }>(
        `SELECT count() AS rows FROM telltale.events WHERE metric = ${quoted(last)}`,
      );
      return Number(row?.rows) > 0;
    });
  });

  it('shows any text of an answer as text, on every page', () =>
    unwatched(stage(), async (page, edge) => {
      const answers = {
        ofList: disguisedAnswers(inFives(payloads)),
        ofOne: disguisedAnswers([payloads.join(' ')]),
      };
      let answerOf = answers.ofList;
      await page.route('**/ui/api/v1/**', (route) => {
        const json = answerOf(new URL(route.request().url()).pathname.replace('/ui/', '/'));
        return json === undefined ? route.abort() : route.fulfill({ json });
      });
      await page.goto(`${edge}/ui/`);
      for (const path of allPages) {
        answerOf = pagesOfOne.includes(path) ? answers.ofOne : answers.ofList;
        await visit({ signedIn: { page, faults: [] } }, path);
        if (path === '/results/score') {
          await page.getByLabel('Prompt', { exact: true }).fill('A ferry.');
          await page.getByRole('button', { name: 'Score it' }).click();
          await page.getByRole('link', { name: 'Its page' }).waitFor();
        }
        const shown = await textsShownOn(page, path);
        assert.equal(shown.length, path === withoutText ? 0 : payloads.length, path);
      }
    }));

  it('shows all stored names as text, on every page', async () => {
    const { page } = stage().signedIn;
    await page.setViewportSize({ width: 1280, height: 800 });
    const seen = new Set<string>();
    const [scored] = await stage().pipeline.query<{ id: string }>(
      `SELECT toString(task_id) AS id FROM telltale.scoring_results WHERE prompt = ${quoted(last)}`,
    );
    await afresh();
    for (const path of [...pages, `/results/${scored?.id ?? ''}`]) {
      await visit(stage(), path);
      for (const payload of await textsShownOn(page, path)) seen.add(payload);
    }
    assert.deepEqual(
      payloads.filter((payload) => !seen.has(payload)),
      [],
    );
  });
}

/** The payloads shown as text. Asserts that none of them runs or creates an element. */
async function textsShownOn(page: Page, path: string): Promise<readonly string[]> {
  assert.equal(await page.evaluate<unknown>('window.taken'), undefined, path);
  assert.equal(await page.locator('main').locator(strange).count(), 0, path);
  const shown = (await page.locator('main').textContent()) ?? '';
  return payloads.filter((payload) => shown.includes(payload));
}

function spansBody(): Buffer {
  const begin = BigInt(Date.now() - 30_000) * 1_000_000n;
  const attribute = (key: string, text: string): object => ({ key, value: { stringValue: text } });
  const spans = payloads.map((name, index) => ({
    ...{ traceId, spanId: (index + 1).toString(16).padStart(16, '0'), name, kind: 2 },
    ...(index > 0 && { parentSpanId: '1'.padStart(16, '0') }),
    startTimeUnixNano: String(begin),
    endTimeUnixNano: String(begin + 1_000_000n),
    attributes: [attribute(name, name)],
    status: { code: 2, message: name },
  }));
  const resourceSpans = [0, 1].map((half) => ({
    resource: { attributes: [attribute('service.name', payloads[half] ?? '')] },
    scopeSpans: [{ spans: spans.filter((_, index) => index % 2 === half) }],
  }));
  return Buffer.from(JSON.stringify({ resourceSpans }));
}

/** Copies a result of the workspace, once per payload as the prompt, as if from a separate topic. */
function insertPrompts(clickhouse: ClickHouse): Promise<void> {
  return clickhouse.command(
    `INSERT INTO telltale.scoring_result_versions
     SELECT scored.* REPLACE (
         generateUUIDv4() AS task_id, text AS prompt,
         'markup' AS _topic, place AS _offset, if(place = 1, -1, place - 1) AS _previous_offset
     )
     FROM (SELECT * FROM telltale.scoring_results WHERE workspace = 'dashboard' LIMIT 1) AS scored
     CROSS JOIN (
         SELECT text, place FROM (SELECT [${payloads.map(quoted).join(', ')}] AS texts)
         ARRAY JOIN texts AS text, arrayEnumerate(texts) AS place
     ) AS prompts`,
  );
}
