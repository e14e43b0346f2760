import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

interface PackagedChromium {
  readonly default: { executablePath(): Promise<string> };
}

/** Imported by name at run time: the package has a browser only for Linux x64. */
const packaged = '@sparticuz/chromium';

/** The package's own arguments are for cloud functions: one process, no web security, and graphics drawn by the processor. */
const withoutGraphics = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-dev-shm-usage',
];

/** A browser from npm, or the installed Chrome if npm has none for this machine; undefined without both. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: browser } = (await import(packaged)) as PackagedChromium;
    return chromium.launch({ executablePath: await browser.executablePath(), args: withoutGraphics });
  }
  return chromium.launch({ channel: 'chrome' }).catch(() => undefined);
}

/** A page, and its errors: errors of scripts, violations of the security policy, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page;
  readonly faults: readonly string[];
}

export async function watchedPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB', ...options });
  const page = await context.newPage();
  return { page, faults: faultsOf(page, url) };
}

/** The list grows while the page is in use; `url` is the only origin that it may request. */
export function faultsOf(page: Page, url: string): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== url && !request.url().startsWith('data:')) faults.push(`a request to ${origin}`);
  });
  return faults;
}
