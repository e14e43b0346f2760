import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { connectClickHouse } from '../../runtime/clickhouse/client.js';
import type { Pipeline } from '../../test/support/pipeline.js';
import { besideConstant, type ComparisonResult } from '../comparison.js';
import { percentile } from './percentile.js';
import { dashboardPages } from './signed-in.js';
import { newResultsSql } from './volumes.js';

const times = 20;
const rowsPerSecond = 500;
const seconds = 60;
const throttled = 4;
/** A longer task makes typing and scrolling stutter. */
const longestTaskMs = 200;

/** Resolves one frame after the expression becomes true; Playwright would look only every half second. */
export const drawnWhere = (isTrue: string): string => `new Promise((drawn) => {
  const look = () => requestAnimationFrame(${isTrue} ? drawn : look);
  look();
})`;

const eachRowHas = (text: string): string => `((rows) =>
  rows.length > 0 && rows.every((row) => row.textContent.includes('${text}')))([...document.querySelectorAll('main tbody tr')])`;

interface Filter {
  readonly what: string;
  readonly path: string;
  /** The least time that the page looks back. */
  readonly minutes: number;
  readonly choose: (page: Page) => Promise<unknown>;
  /** Whether the rows of the filter are drawn. */
  readonly isDrawn: string;
}

const filters: readonly Filter[] = [
  {
    ...{ what: 'an outcome of results', path: '/results', minutes: 60 },
    choose: (page) => page.getByLabel('Outcome').selectOption('failed'),
    isDrawn: eachRowHas('failed'),
  },
  {
    ...{ what: 'a word of prompts', path: '/results', minutes: 60 },
    choose: (page) => page.getByLabel('Prompt contains').fill('harbour'),
    isDrawn: eachRowHas('harbour'),
  },
  {
    ...{ what: 'an attribute of traces', path: '/traces', minutes: 24 * 60 },
    choose: (page) => page.getByLabel('Attribute (key=value)').fill('shelf=7'),
    isDrawn: `location.search.includes('attribute')
      && document.querySelector('main [aria-label=Traces]')?.closest('[aria-busy=false]')`,
  },
];

/** When a choice or a letter arrived: the time of the browser's driver does not count for the page. */
const noteInput = `void addEventListener('input', () => { globalThis.chosenAt = performance.now(); }, true)`;

/** The time from choosing a filter, or typing its last letter, until its rows are drawn. */
export async function measureFilter(
  page: Page,
  url: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const slowest: number[] = [];
  for (const { what, path, minutes, choose, isDrawn } of filters) {
    const taken: number[] = [];
    for (let time = 0; time < times; time += 1) {
      // Answers are cached for a while, so each time another range is requested.
      await page.goto(`${url}/ui${path}?last=${minutes + time}m`);
      await page.waitForLoadState('networkidle');
      await page.evaluate(noteInput);
      await choose(page);
      taken.push(
        await page.evaluate<number>(`${drawnWhere(isDrawn)}.then(() => performance.now() - chosenAt)`),
      );
    }
    slowest.push(percentile(taken, 0.95));
    say(
      `   ${what}: median ${percentile(taken, 0.5).toFixed(0)} ms, p95 ${percentile(taken, 0.95).toFixed(0)} ms`,
    );
  }
  return besideConstant({
    name: `the slowest of ${filters.length} filters, until its rows are drawn, p95 of ${times}`,
    ...{ unit: 'ms', ours: Math.max(...slowest), floorName: 'what it may take', floor: 500 },
    target: { atMost: 1 },
  });
}

/**
 * The list of results while results arrive for a minute as fast as an edge accepts them: the page's memory
 * after it, compared with before.
 */
export async function measureLiveList(
  page: Page,
  pipeline: Pipeline,
  workspace: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const { url, writer } = pipeline.stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  await page.goto(`${pipeline.edge.url}/ui/results?last=15m`);
  await page.getByRole('table', { name: 'Results' }).waitFor();
  const shown = (): Promise<string | null> => page.locator('tbody tr').first().textContent();
  const first = await shown();
  await sleep(10_000);
  const before = await heapOf(page);
  for (let second = 0; second < seconds; second += 1) {
    const begin = performance.now();
    await clickhouse.command(newResultsSql(workspace, rowsPerSecond));
    await sleep(Math.max(0, 1_000 - (performance.now() - begin)));
  }
  const after = await heapOf(page);
  await clickhouse.close();
  if ((await shown()) === first) throw new Error('the list did not follow');
  say(`   a live list: ${before.toFixed(1)} MiB before, ${after.toFixed(1)} MiB after`);
  return besideConstant({
    name: `the heap of a list of results after a minute of ${rowsPerSecond} new ones a second`,
    ...{ unit: 'MiB', ours: after, floorName: 'before it, and a tenth', floor: before * 1.1 },
    target: { atMost: 1 },
  });
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}

const longestTask = `new Promise((resolve) => {
  const found = [0];
  new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
  setTimeout(() => resolve(Math.max(...found)), 300);
})`;

/** Scrolls a trace with the wheel and with the arrow key, like somebody who looks for a span. */
async function scrollTrace(page: Page): Promise<void> {
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await grid.hover();
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 400);
  await grid.focus();
  for (let step = 0; step < 40; step += 1) await page.keyboard.press('ArrowDown');
}

/** Each page's longest task while it loads, and a trace's while it is scrolled, on a slowed processor. */
export async function measureTasks(
  page: Page,
  url: string,
  trace: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttled });
  const longest: number[] = [];
  const pages = [...dashboardPages, trace];
  for (const path of pages) {
    const found: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      await page.goto(`${url}/ui${path}`);
      await page.waitForLoadState('networkidle');
      if (path === trace) await scrollTrace(page);
      found.push(await page.evaluate<number>(longestTask));
    }
    say(`   ${path}, slowed down ${throttled} times: ${found.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    longest.push(Math.max(...found));
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  return besideConstant({
    name: `the longest task of all pages, each opened 3 times, on a processor ${throttled} times slower`,
    ...{ unit: 'ms', ours: Math.max(...longest), floorName: 'what it may take', floor: longestTaskMs },
    target: { atMost: 1 },
  });
}
