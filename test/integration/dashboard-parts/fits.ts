import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';

/** The widths of a 1,280-pixel page at 200 % and at 400 % zoom. */
const widths = [640, 320];

/** The visible controls and headings. Titles come first, because labels can change with the time. */
const usable = `
  [...document.querySelectorAll('h1, h2, h3, a, button, summary, label, th, dt, input, select')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => element.closest('.visually-hidden') === null)
    .map((element) => element.localName + ' ' + (element.title || (element.ariaLabel ?? element.textContent)).trim())
    .sort()`;
/** Texts whose end is cut off, without a title that has the whole text. */
const cut = `
  [...document.querySelectorAll('main *')]
    .filter((element) => getComputedStyle(element).overflowX === 'hidden' || getComputedStyle(element).overflowX === 'clip')
    .filter((element) => !element.classList.contains('visually-hidden') && element.scrollWidth > element.clientWidth + 1)
    .filter((element) => element.title === '' && element.closest('[title]') === null)
    .map((element) => element.outerHTML.slice(0, 200))`;

/** Checks that a zoomed page scrolls only vertically and loses nothing. Leaves the page at its narrowest. */
export async function fitsWhenZoomed(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  const whole = await page.evaluate<readonly string[]>(usable);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 });
    const taken = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(taken <= width, `${path} is ${taken} pixels wide at ${width}`);
    assert.deepEqual(await page.evaluate<readonly string[]>(usable), whole, `${path} at ${width}`);
    // A chart is redrawn after the page gets its new width.
    let cutNow: readonly string[] = [];
    await until(
      'nothing is cut off',
      async () => {
        cutNow = await page.evaluate<readonly string[]>(cut);
        return cutNow.length === 0;
      },
      5_000,
    ).catch(() => assert.deepEqual(cutNow, [], `${path} at ${width}`));
  }
}
