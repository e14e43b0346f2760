import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** The themes differ only in colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

async function violationsOn(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const options = {
    resultTypes: ['violations'],
    ...(rules !== undefined && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The violations in the light and in the dark theme. The page keeps the dark one. */
export async function violationsInThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [colorScheme, rules] of [['light'], ['dark', rulesOfColours]] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsOn(page, rules)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}
