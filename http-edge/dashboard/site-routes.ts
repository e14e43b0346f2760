import type { Exchange } from '../../runtime/http/exchange.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { htmlMediaType, page, pageHeaders } from '../pages/html.js';
import { uiPath } from '../routes.js';
import { encodingFor, type Site, type SiteFile } from './site.js';

/** The page may run the scripts of this edge, talk to this edge, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const everyFile = [
  ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
  ...['cross-origin-resource-policy', 'same-origin', 'vary', 'accept-encoding'],
];
const ofPage = [
  ...['content-security-policy', contentSecurityPolicy, 'cross-origin-opener-policy', 'same-origin'],
  ...['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
];
/** The name of an asset contains a hash of its content, so the content behind a name never changes. */
const forAYear = ['cache-control', 'public, max-age=31536000, immutable'];

const notBuilt = page(
  'Telltale',
  '<h1>Telltale</h1><p>This edge is up, but its dashboard has not been built: run <code>npm run build</code>. Its API: <a href="/reference">the reference</a>, <a href="/openapi.json">the OpenAPI document</a>.</p>',
);

/** `/ui/`: the dashboard's only page. */
export function dashboardRoute(site: Site | undefined): Route {
  return { method: 'GET', pattern: uiPath, handle: (exchange) => answerPage(exchange, site) };
}

/** The files that the page loads, and the page itself under the address of each of its views. */
export function siteRoutes(site: Site | undefined): readonly Route[] {
  const views = ['{page}', '{page}/{id}', '{page}/{id}/{part}'];
  return [
    {
      method: 'GET',
      pattern: uiPath.slice(0, -1), // as a person types it
      handle: (exchange) => exchange.answer(308, '', '', ['location', uiPath]),
    },
    {
      method: 'GET',
      pattern: `${uiPath}assets/{file}`,
      handle(exchange, { file: name = '' }) {
        const file = site?.assets.get(name);
        if (file === undefined) throw new Problem('not-found', 'The dashboard has no such file.');
        answerFile(exchange, file, forAYear);
      },
    },
    ...views.map((view): Route => ({
      method: 'GET',
      pattern: `${uiPath}${view}`,
      handle(exchange, { page: name }) {
        if (name === 'api' || name === 'assets')
          throw new Problem('not-found', 'The dashboard has no such path.');
        answerPage(exchange, site);
      },
    })),
  ];
}

function answerPage(exchange: Exchange, site: Site | undefined): void {
  if (site === undefined) exchange.answer(200, htmlMediaType, notBuilt, pageHeaders);
  else answerFile(exchange, site.page, ofPage);
}

function answerFile(exchange: Exchange, file: SiteFile, headers: readonly string[]): void {
  const encoding = encodingFor(file, exchange.request.headers['accept-encoding']);
  const body = file[encoding] ?? file.identity;
  exchange.answer(200, file.mediaType, body, [
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    ...everyFile,
    ...headers,
  ]);
}
