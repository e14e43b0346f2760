import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

interface Marked {
  readonly status: string;
  readonly word: string;
  readonly shape: string | null;
}

const marked = `
  [...document.querySelectorAll('[data-status]')].map((element) => ({
    status: element.dataset.status,
    word: element.textContent.trim(),
    shape: element.querySelector('svg path')?.getAttribute('d') ?? null,
  }))`;

/** Rows with the bar of a failed span that have no word for the failure. */
const unsaid = `
  [...document.querySelectorAll('[role=row]:has([data-error=true]):not(:has([data-status=bad]))')]
    .map((row) => row.textContent)`;

/** Lines of a chart whose legend marks differ only in colour. A seventh line reuses the first dashes. */
const confused = `
  [...document.querySelectorAll('.u-legend')].flatMap((legend) => {
    const drawn = [...legend.querySelectorAll('.u-marker')]
      .map(({ style }) => style.background.replace(/var\\(--series-\\d\\)/g, ''))
      .filter((background) => background !== '');
    return drawn.filter((background, index) => index < 6 && drawn.indexOf(background) < index);
  })`;

/** Without colours, each status has a word and its own shape, and each line its own dashes. */
export function tellsWithoutColour(): (page: Page, path: string) => Promise<void> {
  const shapes = new Map<string, string>();
  return async (page, path) => {
    for (const found of [unsaid, confused])
      assert.deepEqual(await page.evaluate<readonly string[]>(found), [], `${path} needs its colours`);
    for (const { status, word, shape } of await page.evaluate<readonly Marked[]>(marked)) {
      assert.notEqual(word, '', `${path}: a status of ${status} without a word`);
      assert.ok(shape !== null, `${path}: “${word}” without a shape`);
      assert.equal(shapes.get(shape) ?? status, status, `${path}: the shape of ${status}`);
      shapes.set(shape, status);
    }
  };
}
