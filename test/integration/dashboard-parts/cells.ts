import type { Page } from 'playwright-core';

/** These columns of every row of a table, in order. The page must be settled. */
export async function cellsOf(
  page: Page,
  table: string,
  columns: readonly number[],
): Promise<readonly string[]> {
  const rows = await page.evaluate<string[][]>(`[...document.querySelectorAll('main table')]
    .filter(({ caption }) => caption?.textContent === ${JSON.stringify(table)})
    .flatMap(({ tBodies }) => [...tBodies[0].rows])
    .map(({ cells }) => [...cells].map(({ textContent }) => textContent.trim()))`);
  if (rows.length === 0) throw new Error(`the page has no row of ${table}`);
  return rows.map((cells) => columns.map((column) => cells[column] ?? '').join('|'));
}
