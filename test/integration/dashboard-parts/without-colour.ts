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

/** Whoever sees no colours tells each status by a word, and by a shape that is its own. */
export function tellsWithoutColour(): (page: Page, path: string) => Promise<void> {
  const shapes = new Map<string, string>();
  return async (page, path) => {
    for (const { status, word, shape } of await page.evaluate<readonly Marked[]>(marked)) {
      assert.notEqual(word, '', `${path}: a status of ${status} without a word`);
      assert.ok(shape !== null, `${path}: “${word}” without a shape`);
      assert.equal(shapes.get(shape) ?? status, status, `${path}: the shape of ${status}`);
      shapes.set(shape, status);
    }
  };
}
