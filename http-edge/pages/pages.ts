import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import { htmlMediaType, page, pageHeaders } from './html.js';
import { referencePage } from './reference.js';
import { servedDocument } from './served-document.js';

/** Parameters of a custom event, which comes as `GET /?apiKey=…`. */
const eventParameters = ['apiKey', 'metric', 'type', 'value', 'cluster'];

/** The document, the reference, and where the dashboard will be. Rendered once, at the start. */
export function pageRoutes({ textLimit }: { textLimit: number }): readonly Route[] {
  const document = servedDocument(textLimit);
  const text = JSON.stringify(document);
  const reference = referencePage(document);
  const home = page(
    'Telltale',
    '<h1>Telltale</h1><p>This edge is up. Its API: <a href="/reference">the reference</a>, <a href="/openapi.json">the OpenAPI document</a>.</p>',
  );
  return [
    { method: 'GET', pattern: '/openapi.json', handle: (exchange) => exchange.json(200, text) },
    {
      method: 'GET',
      pattern: '/reference',
      handle: (exchange) => exchange.answer(200, htmlMediaType, reference, pageHeaders),
    },
    {
      method: 'GET',
      pattern: '/ui/',
      handle: (exchange) => exchange.answer(200, htmlMediaType, home, pageHeaders),
    },
    {
      method: 'GET',
      pattern: '/',
      handle(exchange) {
        const { searchParams } = new URL(exchange.request.url ?? '/', 'http://edge');
        if (eventParameters.some((name) => searchParams.has(name)))
          throw new Problem('not-found', 'Custom events are not taken at this address.');
        exchange.answer(302, htmlMediaType, home, ['location', '/ui/', ...pageHeaders]);
      },
    },
  ];
}
