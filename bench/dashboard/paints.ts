import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.js';
import type { Pipeline } from '../../test/support/pipeline.js';
import { besideConstant, type ComparisonResult } from '../comparison.js';
import { loadTrace } from './large-trace.js';
import { percentile } from './percentile.js';
import { dashboardPages, signedInPage } from './signed-in.js';
import { drawnWhere, measureFilter, measureLiveList, measureTasks } from './steadiness.js';

const times = 20;
const largestPaint = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true }))`;
const has = (selector: string): string => `document.querySelector('${selector}') !== null`;
const traces = [
  { spans: 10_000, id: 'a'.repeat(32), longestMs: 1_000 },
  { spans: 50_000, id: 'b'.repeat(32), longestMs: 3_000 },
] as const;

/** How long pages take in a browser on the servers' machine, and how steady they are. */
export async function measurePaints(
  pipeline: Pipeline,
  workspace: string,
  volumes: string,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  const browser = await openBrowser();
  if (browser === undefined) {
    say('   skipped: there is no browser for this machine');
    return [];
  }
  try {
    for (const { id, spans } of traces) await loadTrace(pipeline, workspace, id, spans);
    const page = await signedInPage(browser, pipeline, workspace);
    const results = [await measureLargestPaint(page, pipeline.edge.url, volumes, say)];
    for (const trace of traces) results.push(...(await traceOf(page, pipeline.edge.url, trace, say)));
    results.push(
      await measureFilter(page, pipeline.edge.url, say),
      await measureLiveList(page, pipeline, workspace, say),
      await measureTasks(page, pipeline.edge.url, `/traces/${traces[0].id}`, say),
    );
    return results;
  } finally {
    await browser.close();
  }
}

async function measureLargestPaint(
  page: Page,
  url: string,
  volumes: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const slowest: number[] = [];
  for (const path of dashboardPages) {
    const taken: number[] = [];
    for (let time = 0; time < times; time += 1) {
      await page.goto(`${url}/ui${path}`);
      await page.waitForLoadState('networkidle');
      taken.push(await page.evaluate<number>(largestPaint));
    }
    const p95 = percentile(taken, 0.95);
    say(`   ${path}: median ${percentile(taken, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
    slowest.push(p95);
  }
  return besideConstant({
    name: `the largest paint, p95 of ${times}, the slowest page (${volumes})`,
    ...{ unit: 'ms', ours: Math.max(...slowest), floorName: 'what it may take', floor: 1_500 },
    target: { atMost: 1 },
  });
}

async function traceOf(
  page: Page,
  url: string,
  { id, spans, longestMs }: (typeof traces)[number],
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  const taken = { first: [] as number[], whole: [] as number[] };
  for (let time = 0; time < 5; time += 1) {
    const begin = performance.now();
    await page.goto(`${url}/ui/traces/${id}`);
    await page.evaluate(drawnWhere(has('[role=treegrid] [role=row]')));
    taken.first.push(performance.now() - begin);
    // Its spans come in pages.
    await page.evaluate(drawnWhere(has(`[role=treegrid][aria-rowcount="${spans}"]`)));
    taken.whole.push(performance.now() - begin);
  }
  const resultOf = (until: string, ms: readonly number[]): ComparisonResult => {
    say(`   a trace of ${spans} spans, to ${until}: ${ms.map((one) => one.toFixed(0)).join(', ')} ms`);
    return besideConstant({
      name: `a trace of ${spans} spans, from its address to ${until}, median of 5`,
      ...{ unit: 'ms', ours: percentile(ms, 0.5) },
      ...{ floorName: 'what it may take', floor: longestMs, target: { atMost: 1 } },
    });
  };
  return [resultOf('its first rows', taken.first), resultOf('all of them', taken.whole)];
}
