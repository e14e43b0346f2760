import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fitted } from '../../../dashboard/src/pages/events/fitted.js';
import { formatMillis, formatNumber, formatTimestamp } from '../../../dashboard/src/shared/format.js';
import { stageTimestamps } from '../../../schemas/hops.js';
import { cellsOf } from './cells.js';
import { open, read, type Stage } from './stage.js';
import { settled, visit } from './visit.js';

interface Trend {
  readonly whole: Readonly<Record<string, number>>;
}
interface HopTimes {
  readonly lanes: readonly {
    readonly lane: string;
    readonly hops: readonly {
      readonly hop: string;
      readonly p50_ms: number;
      readonly p95_ms: number;
      readonly p99_ms: number;
    }[];
  }[];
}
interface Scored extends Readonly<Record<(typeof stageTimestamps)[number], string>> {
  readonly metrics: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly scorer_versions: Readonly<Record<string, string>>;
}
interface Series {
  readonly series: readonly { readonly points: readonly { readonly sum: number | null }[] }[];
}
interface Listed {
  readonly id: string;
  readonly prompt: string;
  readonly sentiment: number | null;
  readonly toxicity: number | null;
}

const ofDay = `FROM telltale.scoring_results
  WHERE workspace = 'dashboard' AND accepted_at > now() - INTERVAL 24 HOUR`;

/** Scores, their latency and the figures of one metric equal those of the API and ClickHouse. */
export function sameScores(stage: () => Stage): void {
  const page = (): Page => stage().signedIn.page;
  const query = <Row>(sql: string): Promise<readonly Row[]> => stage().pipeline.query<Row>(sql);

  it('lists the results that ClickHouse has, and the figures of one as the API answers them', async () => {
    const stored = await query<Listed>(
      `SELECT toString(task_id) AS id, prompt, prompt_sentiment_lexicon AS sentiment, prompt_toxicity AS toxicity
       ${ofDay} ORDER BY accepted_at DESC LIMIT 100`,
    );
    assert.ok(stored.length > 0);
    await open(stage(), '/results');
    await settled(page());
    const shown = stored.map(({ prompt, sentiment, toxicity }) =>
      [prompt, formatNumber(sentiment, 3), formatNumber(toxicity, 3)].join('|'),
    );
    assert.deepEqual([...(await cellsOf(page(), 'Results', [1, 5, 6]))].sort(), shown.sort());
    const [{ id } = { id: '' }] = stored.filter(({ sentiment }) => sentiment !== null);
    const result = await read<Scored>(stage(), `/api/v1/results/${id}`);
    const { metrics, scorer_versions: versions } = result;
    await visit(stage(), `/results/${id}`);
    for (const [metric, figures] of Object.entries(metrics)) {
      const numbers = Object.entries(figures).filter(([, value]) => typeof value === 'number');
      const rows = await cellsOf(page(), `Figures of ${metric.replaceAll('_', ' ')}`, [0, 1]);
      for (const [name, value] of numbers)
        assert.ok(rows.includes(`${name}|${formatNumber(Number(value), 4)}`), `${metric}: ${name}`);
    }
    const section = page().getByRole('region', { name: 'Where its time went' });
    const times = stageTimestamps.map((name) => Date.parse(result[name]));
    assert.deepEqual(await section.locator('dd').allTextContents(), [
      formatTimestamp(result.accepted_at, 'utc'),
      ...times.slice(1).map((at, before) => formatMillis(at - (times[before] ?? Number.NaN))),
    ]);
    const scorers = Object.entries(versions).map(([metric, of]) => `${metric.replaceAll('_', ' ')} ${of}`);
    assert.ok(scorers.length > 0);
    await section.getByText(`Scored by ${scorers.join(', ')}.`, { exact: true }).waitFor();
  });

  it('shows the figures of a trend as in the API and ClickHouse', async () => {
    const { whole } = await read<Trend>(stage(), '/api/v1/results/trends');
    const spread = 'quantilesTDigest(0.05, 0.5, 0.95)(prompt_sentiment_lexicon)';
    const [stored] = await query<Record<string, number>>(
      `SELECT toFloat64(count()) AS results, toFloat64(count(prompt_sentiment_lexicon)) AS scored,
         avg(prompt_sentiment_lexicon) AS mean, min(prompt_sentiment_lexicon) AS min, max(prompt_sentiment_lexicon) AS max,
         ${spread}[1] AS p05, ${spread}[2] AS p50, ${spread}[3] AS p95
       ${ofDay}`,
    );
    assert.ok(stored !== undefined && Number(stored['scored']) > 0);
    for (const [name, value] of Object.entries(stored)) assert.equal(whole[name], value, name);
    await visit(stage(), '/results/trends');
    assert.deepEqual(
      await cellsOf(page(), 'Figures of the period', [0, 1]),
      ['results', 'scored', 'mean', 'min', 'p05', 'p50', 'p95', 'max'].map(
        (name) => `${name}|${formatNumber(whole[name], 3)}`,
      ),
    );
  });

  it('shows the latency of prompts as the API answers it', async () => {
    const { lanes } = await read<HopTimes>(stage(), '/api/v1/results/hop-times');
    assert.ok(lanes.length > 0);
    await visit(stage(), '/pipeline');
    for (const { lane, hops } of lanes) {
      const table = `Latency of ${lane === 'task' ? 'tasks' : 'real-time calls'}`;
      assert.deepEqual(
        await cellsOf(page(), table, [1, 2, 3]),
        hops.map(({ p50_ms, p95_ms, p99_ms }) => [p50_ms, p95_ms, p99_ms].map(formatMillis).join('|')),
      );
    }
  });

  it('draws a metric as in the API and ClickHouse', async () => {
    const metric = 'ferries.cancelled';
    const { series } = await read<Series>(stage(), `/api/v1/events/series?metric=${metric}`);
    const sums = series.flatMap(({ points }) => points.flatMap(({ sum }) => sum ?? []));
    const [stored] = await query<{ sum: number }>(
      `SELECT sum(value) AS sum FROM telltale.events WHERE workspace = 'dashboard' AND metric = '${metric}'`,
    );
    assert.equal(
      sums.reduce((all, sum) => all + sum, 0),
      stored?.sum,
    );
    await visit(stage(), `/events?metric=${metric}`);
    const label = (await page().locator('figure [role=img]').getAttribute('aria-label')) ?? '';
    const { write } = fitted('increment');
    const said = `sum: ${sums.length} samples, lowest ${write(Math.min(...sums))}, highest ${write(Math.max(...sums))}`;
    assert.ok(label.includes(said), `${label} without ${said}`);
  });
}
